package io.waterclock.console.model;

import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.CancelBackfillCommand;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.SkipCommand;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.UnskipCommand;
import io.waterclock.schemas.text.SafeText;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A command as it was given, whatever became of it. Immutable.
 *
 * @param what it orders, in the words of the terminal's commands
 * @param about the occurrence, the range or the backfill that it is about; or empty
 * @param note why; or empty
 * @param author who gave it; or empty
 */
public record GivenCommand(
    Instant at, String what, String about, String note, String author, String commandId) {
  /** Of each text, as a valid command has it; of others the rest is left out. */
  private static final int LONGEST = 1_000;

  /** Empty for a command that changes nothing. */
  static Optional<GivenCommand> of(Command command, Instant at) {
    Object action = command.getAction();
    if (action instanceof PauseCommand pause) {
      return said(command, at, "pause", pause.getNote(), pause.getAuthor());
    }
    if (action instanceof ResumeCommand resume) {
      return said(command, at, "resume", resume.getNote(), resume.getAuthor());
    }
    if (action instanceof TriggerCommand) {
      return about(command, at, "trigger", "");
    }
    if (action instanceof SkipCommand skip) {
      return about(command, at, "skip", skip.getOccurrence().toString());
    }
    if (action instanceof UnskipCommand unskip) {
      return about(command, at, "unskip", unskip.getOccurrence().toString());
    }
    if (action instanceof BackfillCommand backfill) {
      return about(command, at, "backfill", backfill.getFrom() + " to " + backfill.getTo());
    }
    if (action instanceof CancelBackfillCommand cancel) {
      return about(command, at, "cancel backfill", cancel.getBackfill());
    }
    return Optional.empty();
  }

  private static Optional<GivenCommand> said(
      Command command, Instant at, String what, @Nullable String note, @Nullable String author) {
    return Optional.of(
        new GivenCommand(
            at,
            what,
            "",
            first(note, command.getNote()),
            first(author, command.getAuthor()),
            first(command.getCommandId())));
  }

  private static Optional<GivenCommand> about(
      Command command, Instant at, String what, String about) {
    return said(command, at, what, null, null)
        .map(
            given ->
                new GivenCommand(
                    at, what, first(about), given.note(), given.author(), given.commandId()));
  }

  private static String first(@Nullable String... texts) {
    for (String text : texts) {
      if (text != null && !text.isEmpty()) {
        return SafeText.cut(text, LONGEST);
      }
    }
    return "";
  }

  /** About as much memory as it takes. */
  long bytes() {
    return 200 + 2L * (about.length() + note.length() + author.length() + commandId.length());
  }
}
