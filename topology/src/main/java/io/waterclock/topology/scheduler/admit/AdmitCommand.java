package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.decide.Decision;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import io.waterclock.topology.scheduler.model.Event;
import io.waterclock.topology.scheduler.model.ManualFire;
import io.waterclock.topology.scheduler.model.Occurrence;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ExecutedCommand;
import io.waterclock.topology.scheduler.store.States;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;

/**
 * Takes commands in: each is executed once, however often it is read, or refused with the reason.
 * Who asked is answered; what is refused and was not asked about goes to the dead-letter topic.
 * Fires nothing.
 *
 * <p>Idea: what became of a command is stored under its id for as long as commands are kept. Up to
 * when commands are forgotten is stored too, and a command that was written before that is refused,
 * since nobody knows whether it was executed. So a command is never executed twice, whatever is
 * read again.
 */
public final class AdmitCommand {
  private static final Logger LOG = SafeLogger.of(AdmitCommand.class);

  private final Settings settings;
  private final CommandReader reader;
  private final DecisionEncoder preparing;
  private final States states;
  private final CommandStore store;
  private final WaitingCommands waiting;
  private final HeldRecords parking;
  private final RecordGuard guard;
  private final Applier applier;
  private final OutgoingRecords records;
  private final AnswerSender answering;
  private final Counts counts;

  public AdmitCommand(
      Settings settings,
      DecisionEncoder preparing,
      States states,
      CommandStore store,
      WaitingCommands waiting,
      HeldRecords parking,
      RecordGuard guard,
      Applier applier,
      OutgoingRecords records,
      Counts counts) {
    this.settings = settings;
    this.reader = new CommandReader(settings);
    this.preparing = preparing;
    this.states = states;
    this.store = store;
    this.waiting = waiting;
    this.parking = parking;
    this.guard = guard;
    this.applier = applier;
    this.records = records;
    this.answering = new AnswerSender(records, applier);
    this.counts = counts;
  }

  void accept(Inbound inbound, Instant now) {
    CommandReader.Reading reading = reader.read(inbound);
    if (reading instanceof CommandReader.Reading.Understood understood) {
      ScheduleId id = understood.id();
      if (waiting.contains(id) || isUnknown(id, understood.command())) {
        waiting.add(id, inbound, now);
      } else {
        execute(id, understood.command(), inbound, now);
      }
    } else if (reading instanceof CommandReader.Reading.Bad bad) {
      refuse(inbound, Verdict.REJECTED, Optional.empty(), bad.problems(), now);
    }
  }

  /** A schedule was defined: what waits for it comes before whatever is read from now on. */
  public void defined(ScheduleId id, Instant now) {
    if (waiting.contains(id) && states.load(id, applier.position()).isPresent()) {
      waiting.take(id).forEach(inbound -> executeWaiting(inbound, now));
    }
  }

  /**
   * Executes what has waited for long enough; what has no schedule even now is refused, unless what
   * defines it is parked.
   */
  public void run(Instant now) {
    for (Inbound inbound : waiting.takeDue(now)) {
      if (!parking.contains(parking.place(inbound)) || !parking.add(inbound)) {
        executeWaiting(inbound, now);
      }
    }
  }

  private void executeWaiting(Inbound inbound, Instant now) {
    guard.run(inbound, now, () -> isExecuted(inbound, now));
  }

  /**
   * After a restart the schema of what could be read before may not be known any more.
   *
   * @return true: it waits no longer, or is parked
   */
  private boolean isExecuted(Inbound inbound, Instant now) {
    try {
      if (reader.read(inbound) instanceof CommandReader.Reading.Understood understood) {
        execute(understood.id(), understood.command(), inbound, now);
      }
    } catch (SchemaUnavailableException e) {
      if (!parking.add(inbound)) {
        String full =
            "the schema registry does not answer, and no more records are kept until it does";
        refuse(inbound, Verdict.REJECTED, Optional.empty(), List.of(problem("", full)), now);
      }
    }
    return true;
  }

  private boolean isUnknown(ScheduleId id, Command command) {
    return states.load(id, applier.position()).isEmpty()
        && store.get(id, command.getCommandId()).isEmpty();
  }

  private void execute(ScheduleId id, Command command, Inbound inbound, Instant now) {
    Optional<ScheduleState> before = states.load(id, applier.position());
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
              + "; whether commands of that time were executed is not remembered any more";
      refuse(inbound, Verdict.REJECTED, before, List.of(problem("command_id", message)), now);
      return;
    }
    Verdict verdict =
        before.isPresent()
            ? executeOn(before.get(), command, inbound, now)
            : refuse(
                inbound,
                Verdict.NOT_FOUND,
                before,
                List.of(problem("", "there is no schedule " + id)),
                now);
    if (!isQuestion(command)) {
      applier.remember(
          id,
          command.getCommandId(),
          new ExecutedCommand(verdict, fingerprint(command), inbound.timestamp(), now));
    }
    LOG.debug("{} {} for {} at {}", verdict, command.getCommandId(), id, inbound.revision());
  }

  /** Nothing is done by it, so it may be read as often as it likes. */
  private static boolean isQuestion(Command command) {
    return command.getAction() instanceof NextCommand;
  }

  private Verdict executeOn(ScheduleState state, Command command, Inbound inbound, Instant now) {
    Optional<ScheduleState> before = Optional.of(state);
    EncodedDecision prepared;
    try {
      Optional<Problem> tooLarge = tooLarge(state, command);
      if (tooLarge.isPresent()) {
        return refuse(inbound, Verdict.REJECTED, before, List.of(tooLarge.get()), now);
      }
      Event event = new Event.Commanded(command, inbound.timestamp());
      prepared = preparing.of(state.id(), before, event, now);
    } catch (RuntimeException e) {
      LOG.warn("Deciding the command at {} failed", inbound.revision(), e);
      Problem failed = problem("", "deciding it failed: " + e);
      return refuse(inbound, Verdict.REJECTED, before, List.of(failed), now);
    }
    Decision decision = prepared.decision();
    Verdict verdict = decision.verdict().orElseThrow();
    if (!decision.problems().isEmpty()) {
      return refuse(inbound, verdict, before, decision.problems(), now);
    }
    applier.apply(before, prepared);
    counts.accepted(InputTopic.COMMANDS);
    if (isQuestion(command)) {
      answering.tell(inbound, decision.state().orElseThrow(), decision.upcoming(), now);
    } else {
      answering.answer(inbound, verdict, decision.state(), decision.next(), List.of(), now);
    }
    return verdict;
  }

  private static Problem reused(ExecutedCommand earlier, Command command) {
    return problem(
        "command_id",
        command.getCommandId()
            + " was the id of another command, which was executed or refused at "
            + earlier.executedAt()
            + "; give each command an id of its own");
  }

  private static int fingerprint(Command command) {
    CRC32C checksum = new CRC32C();
    checksum.update(RecordCodecs.command().encode(command, WireFormat.AVRO));
    return (int) checksum.getValue();
  }

  /** Who asks again is told what became of the command; nothing else happens. */
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
                problem(
                    "command_id",
                    command.getCommandId()
                        + " was refused at "
                        + earlier.executedAt()
                        + "; give a new id to try again"))
            : List.of();
    Optional<Occurrence> next = state.flatMap(preparing::next);
    answering.answer(inbound, earlier.verdict(), state, next, problems, now);
  }

  private Optional<Problem> tooLarge(ScheduleState state, Command command) {
    if (!(command.getAction() instanceof TriggerCommand trigger)) {
      return Optional.empty();
    }
    Optional<ByteBuffer> payload = Optional.ofNullable(trigger.getPayload());
    Optional<Problem> tooLarge =
        settings.limits().owners().payload(state.id(), payload, "trigger.payload");
    if (tooLarge.isPresent()) {
      return tooLarge;
    }
    ManualFire fire = new ManualFire(0, command.getCommandId(), Instant.EPOCH, payload);
    return records.limit().ofOrder(state, fire);
  }

  private Verdict refuse(
      Inbound inbound,
      Verdict verdict,
      Optional<ScheduleState> state,
      List<Problem> all,
      Instant now) {
    List<Problem> problems = BoundedText.problems(all);
    counts.rejected(InputTopic.COMMANDS);
    String text = Problems.text(problems);
    LOG.warn("Refused the command at {}: {} {}", inbound.revision(), verdict, text);
    if (!answering.answer(inbound, verdict, state, Optional.empty(), problems, now)) {
      applier.send(records.dead(inbound, text, now));
    }
    return verdict;
  }

  private static Problem problem(String field, String message) {
    return Problem.newBuilder().setField(field).setMessage(message).build();
  }
}
