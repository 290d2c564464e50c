package io.waterclock.cli.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "resume",
    description = {
      "Resume a paused or disabled schedule, or all that match; print the scheduler's answer.",
      "",
      "It continues with the next occurrence; the occurrences in the pause are missed."
    })
public final class ResumeCommand extends SteeringCommand {
  @Option(
      names = "--on-resume",
      paramLabel = "POLICY",
      description =
          "What happens to the occurrences in the pause: nothing (the default), or fire-once for the"
              + " last of them.")
  Optional<String> onResume = Optional.empty();

  @Option(
      names = "--paused-by",
      paramLabel = "BULK",
      description =
          "Only the schedules that the pause with this id holds, and none that was paused before.")
  Optional<String> pausedBy = Optional.empty();

  @Override
  public Integer call() {
    ObjectNode action = action();
    onResume.ifPresent(policy -> action.put("on_resume", policy.toLowerCase(Locale.ROOT)));
    said.addTo(action);
    if (pausedBy.isPresent()) {
      bulk.all |= !bulk.isGiven();
    }
    return bulk.isGiven()
        ? sendAll(
            "resume", known -> expecting(action, known), "resumed", bulkId("resume"), this::isHeld)
        : send("resume", action, "resumed");
  }

  /** Another pause may have taken the place of this one since the schedules were counted. */
  private ObjectNode expecting(ObjectNode action, KnownSchedule schedule) {
    Optional<String> note =
        pausedBy.flatMap(
            pause -> schedule.status().map(ScheduleStatus::getPause).map(CommandedPause::getNote));
    return note.map(text -> action.deepCopy().put("expected_note", text)).orElse(action);
  }

  private boolean isHeld(KnownSchedule schedule) {
    return schedule.state().filter(State.PAUSED::equals).isPresent()
        && pausedBy.map(BulkId::new).filter(pause -> !pause.holds(schedule)).isEmpty();
  }
}
