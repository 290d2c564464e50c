package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.PartitionState;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * Admits the outcomes that workers report. An outcome that no schedule asked for changes nothing
 * and is only counted: a worker may report everything that it runs. A record that is no valid
 * outcome goes to the dead-letter topic. Fires nothing.
 *
 * <p>A stray is admitted at once, and also written to its own partition, where readers look for the
 * outcomes of a fire. The copy changes nothing when the task reads it there.
 */
final class AdmitOutcome {
  private static final Logger LOG = SafeLogger.of(AdmitOutcome.class);

  /** A valid outcome has about 100 KiB at most, and several times as much in verbose JSON. */
  private static final int LARGEST_COPY = 512 * 1024;

  private final OutcomeReader reader;
  private final PartitionState partition;
  private final Counts counts;
  private final DecisionEncoder encoder;
  private final OutgoingRecords records;
  private final DeadLetterSender deadLetters;
  private final int largestCopy;

  AdmitOutcome(TaskContext task, DeadLetterSender deadLetters) {
    this.partition = task.partition();
    this.counts = task.partition().counts();
    this.encoder = task.encoder();
    this.records = task.encoder().records();
    this.reader =
        new OutcomeReader(
            task.settings().channels().topics().ceSource(),
            task.settings().channels().wire().schemas());
    this.deadLetters = deadLetters;
    this.largestCopy =
        Math.min(LARGEST_COPY, task.settings().limits().maxStrayBytes() - Strays.OVERHEAD);
  }

  private static Instant within(Instant reported, Instant now) {
    return Instants.later(Instants.earlier(reported, now), Instant.EPOCH);
  }

  /** Admits a record of this partition; ignores the copy of a stray, which was admitted before. */
  List<Effect> accept(Inbound inbound, Instant now) {
    if (inbound.value().isEmpty() && inbound.headers().lastHeader(HeaderNames.WAITING) != null) {
      return waited(inbound, now);
    }
    return inbound.headers().lastHeader(HeaderNames.STRAY) == null
        ? admit(inbound, now, List.of())
        : List.of();
  }

  /**
   * Admits a stray, and writes it to this partition in the same transaction. A stray that is so
   * large that its topic might refuse it is admitted without the copy.
   */
  List<Effect> acceptStray(Inbound stray, Instant now) {
    return admit(
        stray,
        now,
        stray.size() <= largestCopy ? List.of(new Effect.Send(records.home(stray))) : List.of());
  }

  /**
   * @param copy of a valid outcome
   */
  private List<Effect> admit(Inbound inbound, Instant now, List<Effect> copy) {
    OutcomeReader.Reading reading = reader.read(inbound);
    if (!(reading instanceof OutcomeReader.Reading.Understood reported)) {
      return deadLetters.refuse(inbound, ((OutcomeReader.Reading.Bad) reading).problems(), now);
    }
    counts.reported(reported.outcome().getState());
    Optional<ScheduleState> before = partition.load(reported.fire().schedule());
    List<Effect> change = change(before, reported, inbound, now);
    List<Effect> also =
        Stream.concat(forLimiter(before, reported, inbound, now).stream(), copy.stream()).toList();
    if (change.isEmpty()) {
      counts.ignoredOutcome();
      LOG.debug("Ignored the outcome of {} at {}", reported.fire(), inbound.revision());
    } else {
      counts.accepted(InputTopic.OUTCOMES);
    }
    return also.isEmpty() ? change : Stream.concat(change.stream(), also.stream()).toList();
  }

  /**
   * The start of a fire begins its time anew in its limit, and its end makes room. A schedule that
   * was removed may have had any limit, and so may an earlier definition of one with a limit, and
   * the one by which a command has fired. A schedule that never was has none.
   */
  private List<Effect> forLimiter(
      Optional<ScheduleState> state,
      OutcomeReader.Reading.Understood reported,
      Inbound inbound,
      Instant now) {
    Optional<LimitName> limit =
        state.map(known -> known.current().schedule().getLimit()).map(LimitName::new);
    boolean mayRun =
        state.isPresent()
            ? limit.isPresent()
            : partition.stores().strays().removed(reported.fire().schedule()).isPresent();
    if (!mayRun) {
      return List.of();
    }
    Outcome outcome = reported.outcome();
    WaitingNote note =
        outcome.getState() == OutcomeState.STARTED
            ? new WaitingNote.Begun(
                within(
                    Optional.ofNullable(outcome.getStartedAt()).orElse(inbound.timestamp()), now))
            : new WaitingNote.Ended();
    byte[] key = reported.fire().bytes();
    boolean isOfCurrent =
        state
            .filter(known -> reported.fire().commandId().isEmpty())
            .filter(known -> reported.fire().occurrence().isAfter(known.current().ownsAfter()))
            .isPresent();
    List<Outgoing> notes =
        isOfCurrent
            ? List.of(records.waiting(key, limit.orElseThrow(), note, now))
            : records.waitingAnywhere(key, note, now);
    return notes.stream().<Effect>map(Effect.Send::new).toList();
  }

  /** The limiter says that a fire has started, or that it does not. */
  private List<Effect> waited(Inbound inbound, Instant now) {
    FireKey fire;
    WaitingNote note;
    try {
      fire = WaitingNote.fireKey(inbound.headers());
      note = WaitingNote.of(inbound.headers());
    } catch (IllegalArgumentException e) {
      return deadLetters.refuse(
          inbound, Problems.of("", String.valueOf(e.getMessage()), null), now);
    }
    Optional<ScheduleState> before = partition.load(fire.schedule());
    if (before.isEmpty() || fire.commandId().isPresent()) {
      return List.of();
    }
    Instant at = note instanceof WaitingNote.Begun begun ? begun.at() : inbound.timestamp();
    return decided(
        before.get(),
        new Event.Waited(fire.occurrence(), within(at, now), note instanceof WaitingNote.Begun),
        now);
  }

  /** Empty when the outcome changes nothing. */
  private List<Effect> change(
      Optional<ScheduleState> before,
      OutcomeReader.Reading.Understood reported,
      Inbound inbound,
      Instant now) {
    if (before.isEmpty() || reported.fire().commandId().isPresent()) {
      return List.of();
    }
    return decided(before.get(), event(reported, inbound), now);
  }

  /** Empty when the event changes nothing. */
  @SuppressWarnings("ReferenceEquality") // an event that changes nothing returns the same object
  private List<Effect> decided(ScheduleState before, Event event, Instant now) {
    EncodedDecision encoded = encoder.orFault(before, event, now);
    return encoded.decision().state().orElseThrow() == before
        ? List.of()
        : List.of(new Effect.Decided(Optional.of(before), encoded));
  }

  private static Event event(OutcomeReader.Reading.Understood reported, Inbound inbound) {
    Outcome outcome = reported.outcome();
    Instant occurrence = reported.fire().occurrence();
    Optional<Instant> startedAt = Optional.ofNullable(outcome.getStartedAt());
    return outcome.getBackfill() == null
        ? new Event.Reported(
            occurrence,
            outcome.getState(),
            startedAt,
            Optional.ofNullable(outcome.getError()),
            inbound.timestamp(),
            inbound.revision())
        : new Event.BackfillReported(
            outcome.getBackfill(), occurrence, outcome.getState(), startedAt, inbound.timestamp());
  }
}
