package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.CommandValidation;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.admit.AnswerSender.Reply;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import io.waterclock.topology.scheduler.input.RecordKey;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ExecutedCommand;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.slf4j.Logger;

/**
 * Admits commands: executes each once, even if it is read again, or refuses it with the reason.
 * Answers a command that asks for an answer; a refused command that asks for none goes to the
 * dead-letter topic. Fires nothing.
 *
 * <p>Idea: the store keeps the result of a command under the command's id for as long as the topic
 * keeps commands. It also keeps the latest timestamp of the forgotten commands. A command that is
 * not newer than that is refused, because it may have been executed before. So no command is
 * executed twice, even if the topic is read again.
 */
final class AdmitCommand {
  private static final Logger LOG = SafeLogger.of(AdmitCommand.class);

  private final CommandReader reader;
  private final TaskContext task;
  private final CommandStore store;
  private final WaitingCommands waiting;
  private final HeldRecords heldRecords;
  private final Consumer<Effect> effects;
  private final AnswerSender answers;

  AdmitCommand(AdmissionContext context, WaitingCommands waiting) {
    this.task = context.task();
    this.reader = new CommandReader(task.settings());
    this.store = task.stores().commands();
    this.waiting = waiting;
    this.heldRecords = context.heldRecords();
    this.effects = context.effects();
    this.answers = context.answers();
  }

  void accept(Inbound inbound, Instant now) {
    read(inbound, now)
        .ifPresent(
            understood -> {
              ScheduleId id = understood.id();
              if (waiting.contains(id) || isUnknown(id, understood.command())) {
                waiting.add(id, inbound, now).ifPresent(full -> refuseFull(inbound, full, now));
              } else {
                execute(id, understood.command(), inbound, now);
              }
            });
  }

  /** Ends with its task. */
  void leave() {
    waiting.leave();
  }

  private void refuseFull(Inbound inbound, String waiting, Instant now) {
    String full =
        "there is no such schedule, and "
            + waiting
            + " wait for theirs already, which is the limit; write the command again once the"
            + " schedule is defined";
    refuse(inbound, Verdict.REJECTED, Optional.empty(), List.of(Problems.of("", full)), now);
  }

  /** Removes the commands that were written long before their schedule is defined. */
  List<Inbound> takeOlder(Inbound definition) {
    return waiting.isEmpty()
        ? List.of()
        : RecordKey.of(definition)
            .good()
            .map(id -> waiting.takeOlder(id, definition.timestamp()))
            .orElse(List.of());
  }

  /** Removes the commands that wait for a schedule, once it is defined, and returns them. */
  List<Inbound> takeDefined(ScheduleId id) {
    return waiting.contains(id) && task.load(id).isPresent() ? waiting.take(id) : List.of();
  }

  /** Removes commands that have waited long enough, and returns them; at most so many. */
  List<Inbound> takeDue(Instant now, int most) {
    return waiting.takeDue(now, most);
  }

  /** Refuses a command that has waited, since those before it have cost enough. */
  void refuseCostly(Inbound inbound, Instant now) {
    String costly =
        "the commands that waited with it for the definition of the schedule cost too much to be"
            + " executed at once; write the command again";
    refuse(inbound, Verdict.REJECTED, Optional.empty(), List.of(Problems.of("", costly)), now);
  }

  /**
   * Holds a command if the definition of its schedule is held.
   *
   * @return false when it is not, or there is no room
   */
  boolean isHeldBehindItsSchedule(Inbound command) {
    return heldRecords.contains(heldRecords.place(command)) && heldRecords.add(command);
  }

  /**
   * Executes or refuses a command that has waited. Holds it if its schema, which was available
   * before a restart, is no longer.
   *
   * @return false when the command is held
   */
  boolean executeOrHold(Inbound inbound, Instant now) {
    try {
      read(inbound, now)
          .ifPresent(understood -> execute(understood.id(), understood.command(), inbound, now));
      return true;
    } catch (SchemaUnavailableException e) {
      if (heldRecords.add(inbound)) {
        return false;
      }
      String full =
          "the schema registry does not answer, and no more records can be held until it does";
      refuse(inbound, Verdict.REJECTED, Optional.empty(), List.of(Problems.of("", full)), now);
      return true;
    }
  }

  /** Refuses a record that is no valid command. */
  private Optional<CommandReader.Reading.Understood> read(Inbound inbound, Instant now) {
    CommandReader.Reading reading = reader.read(inbound);
    if (reading instanceof CommandReader.Reading.Understood understood) {
      return Optional.of(understood);
    }
    List<Problem> problems = ((CommandReader.Reading.Bad) reading).problems();
    refuse(inbound, Verdict.REJECTED, Optional.empty(), problems, now);
    return Optional.empty();
  }

  private boolean isUnknown(ScheduleId id, Command command) {
    return task.load(id).isEmpty() && store.get(id, command.getCommandId()).isEmpty();
  }

  private void execute(ScheduleId id, Command command, Inbound inbound, Instant now) {
    Optional<ScheduleState> before = task.load(id);
    Optional<ExecutedCommand> earlier = store.get(id, command.getCommandId());
    if (earlier.isPresent()) {
      if (earlier.get().fingerprint() == fingerprint(command)) {
        repeated(earlier.get(), before, command, inbound, now);
      } else {
        refuse(inbound, Verdict.REJECTED, before, List.of(reused(earlier.get(), command)), now);
      }
      return;
    }
    if (!isQuestion(command) && !inbound.timestamp().isAfter(store.forgottenThrough())) {
      String message =
          "was written at "
              + inbound.timestamp()
              + "; the scheduler no longer remembers whether commands of that time were executed";
      refuse(inbound, Verdict.REJECTED, before, List.of(Problems.of("command_id", message)), now);
      return;
    }
    Verdict verdict =
        before.isPresent()
            ? executeOn(before.get(), command, inbound, now)
            : refuse(
                inbound,
                Verdict.NOT_FOUND,
                before,
                List.of(Problems.of("", "there is no schedule " + id)),
                now);
    if (!isQuestion(command)) {
      effects.accept(
          new Effect.RememberCommand(
              id,
              command.getCommandId(),
              new ExecutedCommand(verdict, fingerprint(command), inbound.timestamp(), now)));
    }
    LOG.debug("{} {} for {} at {}", verdict, command.getCommandId(), id, inbound.revision());
  }

  /** True for a command that changes nothing: it may be executed again. */
  private static boolean isQuestion(Command command) {
    return command.getAction() instanceof NextCommand;
  }

  private Verdict executeOn(ScheduleState state, Command command, Inbound inbound, Instant now) {
    Optional<ScheduleState> before = Optional.of(state);
    EncodedDecision encoded;
    try {
      Optional<Problem> tooLarge = tooLarge(state, command);
      if (tooLarge.isPresent()) {
        return refuse(inbound, Verdict.REJECTED, before, List.of(tooLarge.get()), now);
      }
      Event event = new Event.Commanded(command, inbound.timestamp(), inbound.revision());
      encoded = task.encoder().of(state.id(), before, event, now);
    } catch (RuntimeException e) {
      task.application().rejections().failed("Deciding " + inbound.revision() + " failed", e);
      Problem failed = Problems.of("", "deciding it failed: " + e);
      return refuse(inbound, Verdict.REJECTED, before, List.of(failed), now);
    }
    Decision decision = encoded.decision();
    Verdict verdict = decision.verdict().orElseThrow();
    if (!decision.problems().isEmpty()) {
      return refuse(inbound, verdict, before, decision.problems(), now);
    }
    effects.accept(new Effect.Decided(before, encoded));
    task.counts().accepted(InputTopic.COMMANDS);
    if (isQuestion(command)) {
      answers.answer(
          inbound, Reply.toQuestion(decision.state().orElseThrow(), decision.upcoming()), now);
    } else {
      answers.answer(inbound, Reply.of(verdict, decision.state(), decision.next()), now);
    }
    return verdict;
  }

  private static Problem reused(ExecutedCommand earlier, Command command) {
    return Problems.of(
        "command_id",
        ("%s was the id of another command, which was executed or refused at %s; give"
                + " each command an id of its own")
            .formatted(command.getCommandId(), earlier.executedAt()));
  }

  private static int fingerprint(Command command) {
    CRC32C checksum = new CRC32C();
    checksum.update(RecordCodecs.command().encode(command, WireFormat.AVRO));
    return (int) checksum.getValue();
  }

  /** Answers a command that is read again with its first result; changes nothing. */
  private void repeated(
      ExecutedCommand earlier,
      Optional<ScheduleState> state,
      Command command,
      Inbound inbound,
      Instant now) {
    boolean wasRefused =
        earlier.verdict() != Verdict.EXECUTED && earlier.verdict() != Verdict.UNCHANGED;
    List<Problem> problems =
        wasRefused
            ? List.of(
                Problems.of(
                    "command_id",
                    "%s was refused at %s; give a new id to try again"
                        .formatted(command.getCommandId(), earlier.executedAt())))
            : List.of();
    Optional<Occurrence> next = state.flatMap(task.encoder()::pending).map(Pending::next);
    Optional<Instant> executedAt = Optional.of(earlier.executedAt());
    answers.answer(
        inbound, new Reply(earlier.verdict(), state, next, List.of(), problems, executedAt), now);
  }

  private Optional<Problem> tooLarge(ScheduleState state, Command command) {
    if (!(command.getAction() instanceof TriggerCommand trigger)) {
      return Optional.empty();
    }
    Optional<ByteBuffer> payload = Optional.ofNullable(trigger.getPayload());
    Optional<Problem> tooLarge =
        task.settings().limits().owners().payload(state.id(), payload, "trigger.payload");
    if (tooLarge.isPresent()) {
      return tooLarge;
    }
    ManualFire fire = new ManualFire(0, command.getCommandId(), Instant.EPOCH, payload);
    Optional<Problem> fireTooLarge = task.records().limit().ofOrder(state, fire);
    return fireTooLarge.isPresent() ? fireTooLarge : partitionIsFull(state, fire);
  }

  /** What one writer's schedules order must leave room for a few fires of each other one. */
  private Optional<Problem> partitionIsFull(ScheduleState state, ManualFire fire) {
    long own = state.commanded().fires().bytes() + fire.size(state.current());
    long waiting = task.queues().commanded().manualBytes();
    return own <= CommandValidation.WAITING_BYTES_OF_ITS_OWN
            || waiting < CommandValidation.MAX_WAITING_BYTES_OF_A_PARTITION
        ? Optional.empty()
        : Optional.of(
            Problems.of(
                "trigger",
                ("%s bytes of ordered fires wait in this partition already, and the limit is"
                        + " %s; write the command again, once they have fired")
                    .formatted(waiting, CommandValidation.MAX_WAITING_BYTES_OF_A_PARTITION)));
  }

  private Verdict refuse(
      Inbound inbound,
      Verdict verdict,
      Optional<ScheduleState> state,
      List<Problem> all,
      Instant now) {
    List<Problem> problems = BoundedText.problems(all);
    task.counts().rejected(InputTopic.COMMANDS);
    String text = Problems.text(problems);
    task.application()
        .rejections()
        .rejected("Refused the command at " + inbound.revision(), verdict + " " + text);
    if (!answers.answer(inbound, Reply.refusing(verdict, state, problems), now)) {
      effects.accept(new Effect.Send(task.records().dead(inbound, text, now)));
    }
    return verdict;
  }
}
