package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.PartitionState;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Counts;
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

  /** Admits a record of this partition; ignores the copy of a stray, which was admitted before. */
  List<Effect> accept(Inbound inbound, Instant now) {
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
        Stream.concat(freed(before, reported, now).stream(), copy.stream()).toList();
    if (change.isEmpty()) {
      counts.ignoredOutcome();
      LOG.debug("Ignored the outcome of {} at {}", reported.fire(), inbound.revision());
    } else {
      counts.accepted(InputTopic.OUTCOMES);
    }
    return also.isEmpty() ? change : Stream.concat(change.stream(), also.stream()).toList();
  }

  /** The end of a fire makes room in the limit of its schedule, if that has one. */
  private List<Effect> freed(
      Optional<ScheduleState> state, OutcomeReader.Reading.Understood reported, Instant now) {
    return state
        .map(known -> known.current().schedule().getLimit())
        .filter(limit -> reported.outcome().getState() != OutcomeState.STARTED)
        .<List<Effect>>map(
            limit ->
                List.of(
                    new Effect.Send(
                        records.waiting(
                            reported.fire().bytes(), limit, new WaitingNote.Ended(), now))))
        .orElse(List.of());
  }

  /** Empty when the outcome changes nothing. */
  @SuppressWarnings("ReferenceEquality") // a report that changes nothing returns the same object
  private List<Effect> change(
      Optional<ScheduleState> before,
      OutcomeReader.Reading.Understood reported,
      Inbound inbound,
      Instant now) {
    if (before.isEmpty() || reported.fire().commandId().isPresent()) {
      return List.of();
    }
    Outcome outcome = reported.outcome();
    Event event =
        new Event.Reported(
            reported.fire().occurrence(),
            outcome.getState(),
            Optional.ofNullable(outcome.getStartedAt()),
            Optional.ofNullable(outcome.getError()),
            inbound.timestamp(),
            inbound.revision());
    EncodedDecision encoded = encoder.orFault(before.get(), event, now);
    if (encoded.decision().state().orElseThrow() == before.get()) {
      return List.of();
    }
    return List.of(new Effect.Decided(before, encoded));
  }
}
