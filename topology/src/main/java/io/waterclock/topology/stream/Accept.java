package io.waterclock.topology.stream;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.Problems;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.topology.decide.Decision;
import io.waterclock.topology.decide.Event;
import io.waterclock.topology.decide.ScheduleState;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a record in: accepts it, rejects it with its reasons, or sends it to the dead-letter topic.
 * Answers whoever asked. Fires nothing.
 */
final class Accept {
  private static final Logger LOG = LoggerFactory.getLogger(Accept.class);

  private static final int MAX_REMEMBERED = 10_000;

  /** Schedules whose status tells of a rejection, which the next good record ends. */
  private final Set<ScheduleId> rejectedLately = new HashSet<>();

  private final RecentDeletes deletedLately = new RecentDeletes();
  private final Settings settings;
  private final Preparing preparing;
  private final States states;
  private final Applier applier;
  private final OutgoingRecords records;
  private final Reader reader;
  private final Answering answering;
  private final Counts counts;

  Accept(
      Settings settings,
      Preparing preparing,
      States states,
      Applier applier,
      OutgoingRecords records,
      Supplier<Set<String>> calendars,
      Counts counts) {
    this.settings = settings;
    this.preparing = preparing;
    this.states = states;
    this.applier = applier;
    this.records = records;
    this.reader = new Reader(settings, records.fires(), calendars);
    this.answering = new Answering(records, applier);
    this.counts = counts;
  }

  /**
   * @return the schedule that the record was about, if it was about one
   */
  Optional<ScheduleId> accept(Inbound inbound, Instant now) {
    Optional<String> origin = Request.text(inbound.headers(), Headers.ORIGIN);
    Reader.Reading reading = reader.read(inbound);
    if (reading instanceof Reader.Reading.Understood understood) {
      Optional<ScheduleState> before = states.load(understood.id(), applier.position());
      if (origin.isPresent()) {
        ownRecord(understood, before, origin.get(), inbound, now);
      } else if (!isReadAgain(before, inbound)) {
        deletedLately.note(understood.id(), understood.event() instanceof Event.Deleted);
        understood(understood, before, inbound, now);
      }
      return Optional.of(understood.id());
    } else if (reading instanceof Reader.Reading.Rejected rejected) {
      Optional<ScheduleState> state = states.load(rejected.id(), applier.position());
      reject(rejected.id(), state, rejected.problems(), inbound, now);
      return Optional.of(rejected.id());
    } else if (reading instanceof Reader.Reading.Dead dead) {
      dead(dead, inbound, now);
      return dead.id();
    }
    return Optional.empty();
  }

  /**
   * A record that the scheduler wrote itself, read back: the tombstone of a completed schedule, or
   * a definition that such a tombstone had to be corrected with. The schedule may have been defined
   * anew before the tombstone was in the topic; then the topic is made to say so again. It may have
   * been deleted before that correction was in the topic; then a tombstone corrects the correction.
   * Where the state was lost, these records mean what they say.
   *
   * @param revision the revision that the record was meant for
   */
  private void ownRecord(
      Reader.Reading.Understood understood,
      Optional<ScheduleState> state,
      String revision,
      Inbound inbound,
      Instant now) {
    boolean isTombstone = inbound.value().isEmpty();
    boolean isMeant =
        state.filter(known -> known.current().revision().equals(revision)).isPresent();
    if (!isTombstone && state.isEmpty() && deletedLately.contains(understood.id())) {
      applier.send(records.removal(understood.id(), revision, now));
    } else if (isTombstone ? isMeant : state.isEmpty()) {
      understood(understood, state, inbound, now);
    } else if (isTombstone && state.isPresent()) {
      applier.send(records.definition(state.get(), inbound.timestamp()));
    }
  }

  /**
   * True for a record that was processed before, or that a later one has replaced: after an outage
   * in which Kafka forgot the committed offsets, the whole partition is read again.
   */
  private static boolean isReadAgain(Optional<ScheduleState> state, Inbound inbound) {
    String place = inbound.topic() + "-" + inbound.partition() + "@";
    return state
        .map(ScheduleState::current)
        .filter(current -> current.revision().startsWith(place))
        .filter(
            current ->
                inbound.offset() <= Long.parseLong(current.revision().substring(place.length())))
        .filter(current -> !inbound.timestamp().isAfter(current.effectiveAt()))
        .isPresent();
  }

  private void understood(
      Reader.Reading.Understood understood,
      Optional<ScheduleState> before,
      Inbound inbound,
      Instant now) {
    ScheduleId id = understood.id();
    Prepared prepared;
    try {
      prepared = preparing.of(id, before, understood.event(), now);
    } catch (RuntimeException e) {
      LOG.warn("Rejected {} at {}: deciding it failed", id, inbound.revision(), e);
      reject(id, before, List.of(problem("", "deciding it failed: " + e)), inbound, now);
      return;
    }
    applier.apply(before, prepared);
    counts.accepted(Input.SCHEDULES);
    Decision decision = prepared.decision();
    boolean endsRejection = rejectedLately.remove(id);
    if (endsRejection && decision.verdict().equals(Optional.of(Verdict.UNCHANGED))) {
      applier.send(records.status(decision.state().orElseThrow(), now));
    }
    Verdict verdict = decision.verdict().orElseThrow();
    Optional<String> revision = decision.state().map(state -> state.current().revision());
    answering.answer(inbound, verdict, revision, decision.next(), List.of(), now);
    LOG.debug("{} {} at {}", verdict, id, inbound.revision());
  }

  private void reject(
      ScheduleId id,
      Optional<ScheduleState> state,
      List<Problem> all,
      Inbound inbound,
      Instant now) {
    List<Problem> problems = Shortened.problems(all);
    counts.rejected(Input.SCHEDULES);
    if (rejectedLately.size() < MAX_REMEMBERED) {
      rejectedLately.add(id);
    }
    LOG.warn("Rejected {} at {}: {}", id, inbound.revision(), Problems.text(problems));
    applier.send(records.rejected(id, state, inbound.revision(), problems, now));
    answering.answer(
        inbound,
        Verdict.REJECTED,
        state.map(s -> s.current().revision()),
        Optional.empty(),
        problems,
        now);
  }

  private void dead(Reader.Reading.Dead dead, Inbound inbound, Instant now) {
    String error = Problems.text(Shortened.problems(List.of(dead.problem())));
    applier.send(
        records.dead(DeadLetter.of(inbound, error, settings.limits().maxFireBytes()), now));
    if (dead.id().isPresent()) {
      ScheduleId id = dead.id().get();
      reject(id, states.load(id, applier.position()), List.of(dead.problem()), inbound, now);
      return;
    }
    counts.rejected(Input.SCHEDULES);
    LOG.warn("Dead letter at {}: {}", inbound.revision(), error);
    answering.answer(
        inbound,
        Verdict.REJECTED,
        Optional.empty(),
        Optional.empty(),
        Shortened.problems(List.of(dead.problem())),
        now);
  }

  private static Problem problem(String field, String message) {
    return Problem.newBuilder().setField(field).setMessage(message).build();
  }
}
