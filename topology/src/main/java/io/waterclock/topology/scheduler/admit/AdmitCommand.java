package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.CommandValidation;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.admit.AnswerSender.Reply;
import io.waterclock.topology.scheduler.apply.CommandedLanes;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.PartitionState;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ExecutedCommand;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
  private final PartitionState partition;
  private final Counts counts;
  private final DecisionEncoder encoder;
  private final OutgoingRecords records;
  private final CommandedLanes commanded;
  private final RejectionLog rejections;
  private final CommandStore store;
  private final WaitingCommands waiting;
  private final OwnerLimits owners;
  private final AnswerSender answers;

  AdmitCommand(TaskContext task, WaitingCommands waiting, AnswerSender answers) {
    this.partition = task.partition();
    this.counts = task.partition().counts();
    this.encoder = task.encoder();
    this.records = task.encoder().records();
    this.commanded = task.partition().placement().queues().commanded();
    this.rejections = task.application().incoming().rejections();
    this.reader =
        new CommandReader(task.settings().limits(), task.settings().channels().wire().schemas());
    this.store = task.partition().stores().commands();
    this.waiting = waiting;
    this.owners = task.settings().limits().owners();
    this.answers = answers;
  }

  /**
   * What a command was answered, and what follows.
   *
   * @param effects the answer, and with {@code EXECUTED} the decision
   */
  private record Executed(Verdict verdict, List<Effect> effects) {
    Executed and(Effect effect) {
      return new Executed(verdict, Stream.concat(Stream.of(effect), effects.stream()).toList());
    }
  }

  /** Admits a command that has just been read. */
  List<Effect> accept(Inbound inbound, Instant now) {
    CommandReader.Reading reading = reader.read(inbound);
    return reading instanceof CommandReader.Reading.Understood understood
            && mustWait(understood.id(), understood.command())
        ? await(understood.id(), inbound, now)
        : execute(reading, inbound, now);
  }

  private boolean mustWait(ScheduleId id, Command command) {
    return waiting.contains(id)
        || (partition.load(id).isEmpty() && store.get(id, command.getCommandId()).isEmpty());
  }

  private List<Effect> await(ScheduleId id, Inbound inbound, Instant now) {
    Optional<Effect> waits = waiting.add(id, inbound, now);
    return waits.isPresent()
        ? List.of(waits.get())
        : refuse(
            inbound,
            "there is no such schedule, and "
                + waiting.full(id, inbound).orElseThrow()
                + " wait for theirs already, which is the limit; write the command again once the"
                + " schedule is defined",
            now);
  }

  /** Refuses a command that has waited, since those before it have cost enough. */
  List<Effect> refuseCostly(Inbound inbound, Instant now) {
    return refuse(
        inbound,
        "the commands that waited with it for the definition of the schedule cost too much to be"
            + " executed at once; write the command again",
        now);
  }

  /** Refuses a command that has waited, whose schema is away since a restart. */
  List<Effect> refuseUnread(Inbound inbound, Instant now) {
    return refuse(
        inbound,
        "the schema registry does not answer, and no more records can be held until it does",
        now);
  }

  /** Executes or refuses a command that has waited. */
  List<Effect> execute(Inbound inbound, Instant now) {
    return execute(reader.read(inbound), inbound, now);
  }

  private List<Effect> execute(CommandReader.Reading reading, Inbound inbound, Instant now) {
    if (reading instanceof CommandReader.Reading.Understood understood) {
      return execute(understood.id(), understood.command(), inbound, now);
    }
    List<Problem> problems = ((CommandReader.Reading.Bad) reading).problems();
    return refuse(inbound, Verdict.REJECTED, Optional.empty(), problems, now).effects();
  }

  private List<Effect> execute(ScheduleId id, Command command, Inbound inbound, Instant now) {
    Optional<ScheduleState> before = partition.load(id);
    Optional<ExecutedCommand> earlier = store.get(id, command.getCommandId());
    if (earlier.isPresent()) {
      return earlier.get().fingerprint() == fingerprint(command)
          ? repeated(earlier.get(), before, command, inbound, now)
          : refuse(inbound, before, reused(earlier.get(), command), now).effects();
    }
    if (!isQuestion(command) && !inbound.timestamp().isAfter(store.forgottenThrough())) {
      String message =
          "was written at "
              + inbound.timestamp()
              + "; the scheduler no longer remembers whether commands of that time were executed";
      return refuse(inbound, before, Problems.of("command_id", message), now).effects();
    }
    Executed executed =
        before.isPresent()
            ? executeOn(before.get(), command, inbound, now)
            : refuse(
                inbound,
                Verdict.NOT_FOUND,
                before,
                List.of(Problems.of("", "there is no schedule " + id)),
                now);
    Verdict verdict = executed.verdict();
    LOG.debug("{} {} for {} at {}", verdict, command.getCommandId(), id, inbound.revision());
    if (isQuestion(command)) {
      return executed.effects();
    }
    List<Effect> effects = new ArrayList<>(executed.effects());
    effects.add(
        new Effect.RememberCommand(
            id,
            command.getCommandId(),
            new ExecutedCommand(verdict, fingerprint(command), inbound.timestamp(), now)));
    return effects;
  }

  /** True for a command that changes nothing: it may be executed again. */
  private static boolean isQuestion(Command command) {
    return command.getAction() instanceof NextCommand;
  }

  private Executed executeOn(ScheduleState state, Command command, Inbound inbound, Instant now) {
    Optional<ScheduleState> before = Optional.of(state);
    EncodedDecision encoded;
    try {
      Optional<Problem> tooLarge = tooLarge(state, command);
      if (tooLarge.isPresent()) {
        return refuse(inbound, before, tooLarge.get(), now);
      }
      Event event = new Event.Commanded(command, inbound.timestamp(), inbound.revision());
      encoded = encoder.of(state.id(), before, event, now);
    } catch (RuntimeException e) {
      rejections.failed("Deciding " + inbound.revision() + " failed", e);
      return refuse(inbound, before, Problems.of("", "deciding it failed: " + e), now);
    }
    Decision decision = encoded.decision();
    Verdict verdict = decision.verdict().orElseThrow();
    if (!decision.problems().isEmpty()) {
      Executed refused = refuse(inbound, verdict, before, decision.problems(), now);
      return isOf(state, decision) ? refused : refused.and(new Effect.Decided(before, encoded));
    }
    counts.accepted(InputTopic.COMMANDS);
    Reply reply =
        isQuestion(command)
            ? Reply.toQuestion(decision.state().orElseThrow(), decision.upcoming())
            : Reply.of(verdict, decision.state(), decision.next());
    List<Effect> effects = new ArrayList<>(2);
    effects.add(new Effect.Decided(before, encoded));
    effects.addAll(answers.answer(inbound, reply, now));
    return new Executed(verdict, effects);
  }

  /** False if a refused command changes what is expected: a pause that ended before it was read. */
  @SuppressWarnings("ReferenceEquality") // a command that changes nothing returns the same object
  private static boolean isOf(ScheduleState state, Decision decision) {
    return decision.state().orElseThrow() == state;
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
  private List<Effect> repeated(
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
    Optional<Occurrence> next = state.flatMap(encoder::pending).flatMap(Pending::next);
    Optional<Instant> executedAt = Optional.of(earlier.executedAt());
    return answers.answer(
        inbound,
        new Reply(
            earlier.verdict(),
            state,
            next.isPresent(),
            next,
            List.of(),
            problems,
            executedAt,
            List.of()),
        now);
  }

  private Optional<Problem> tooLarge(ScheduleState state, Command command) {
    if (!(command.getAction() instanceof TriggerCommand trigger)) {
      return Optional.empty();
    }
    Optional<ByteBuffer> payload = Optional.ofNullable(trigger.getPayload());
    Optional<Problem> tooLarge = owners.payload(state.id(), payload, "trigger.payload");
    if (tooLarge.isPresent()) {
      return tooLarge;
    }
    ManualFire fire = new ManualFire(0, command.getCommandId(), Instant.EPOCH, payload);
    Optional<Problem> fireTooLarge = records.limit().ofOrder(state, fire);
    return fireTooLarge.isPresent() ? fireTooLarge : partitionIsFull(state, fire);
  }

  /** What one writer's schedules order must leave room for a few fires of each other one. */
  private Optional<Problem> partitionIsFull(ScheduleState state, ManualFire fire) {
    long own = state.commanded().fires().bytes() + fire.size(state.current());
    long waiting = commanded.manualBytes();
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

  private List<Effect> refuse(Inbound inbound, String message, Instant now) {
    return refuse(inbound, Optional.empty(), Problems.of("", message), now).effects();
  }

  private Executed refuse(
      Inbound inbound, Optional<ScheduleState> state, Problem problem, Instant now) {
    return refuse(inbound, Verdict.REJECTED, state, List.of(problem), now);
  }

  private Executed refuse(
      Inbound inbound,
      Verdict verdict,
      Optional<ScheduleState> state,
      List<Problem> all,
      Instant now) {
    List<Problem> problems = BoundedText.problems(all);
    counts.rejected(InputTopic.COMMANDS);
    String text = Problems.text(problems);
    rejections.rejected("Refused the command at " + inbound.revision(), verdict + " " + text);
    List<Effect> answer = answers.answer(inbound, Reply.refusing(verdict, state, problems), now);
    return new Executed(
        verdict,
        answer.isEmpty() ? List.of(new Effect.Send(records.dead(inbound, text, now))) : answer);
  }
}
