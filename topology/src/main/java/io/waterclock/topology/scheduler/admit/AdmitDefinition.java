package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.CommandValidation;
import io.waterclock.definition.DefinitionWarnings;
import io.waterclock.definition.Exclusions;
import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.admit.AnswerSender.Reply;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.PartitionState;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.AnswerAddress;
import io.waterclock.topology.scheduler.input.AuthorNote;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * Admits definitions and deletes: accepts each, rejects it with its reasons, or sends it to the
 * dead-letter topic. Answers a record that asks for an answer. Fires nothing.
 */
final class AdmitDefinition {
  private static final Logger LOG = SafeLogger.of(AdmitDefinition.class);

  private static final int MAX_REMEMBERED = 10_000;

  /** Schedules whose status is a rejection; the next good record replaces it. */
  private final Set<ScheduleId> rejectedLately = new HashSet<>();

  private final PartitionState partition;
  private final Counts counts;
  private final DecisionEncoder encoder;
  private final Timetables tables;
  private final RejectionLog rejections;
  private final OutgoingRecords records;
  private final DefinitionReader reader;
  private final OwnerCounts owners;
  private final LastWrites lastWrites;
  private final StraysInTransit straysInTransit;
  private final AnswerSender answers;
  private final DeadLetterSender deadLetters;
  private final Supplier<Instant> clock;
  private final String later;

  /**
   * @param clock the time of the partition, by which occurrences are due: at most that of a record
   */
  AdmitDefinition(
      TaskContext task,
      LastWrites lastWrites,
      StraysInTransit straysInTransit,
      AnswerSender answers,
      DeadLetterSender deadLetters,
      Supplier<Instant> clock) {
    this.partition = task.partition();
    this.counts = task.partition().counts();
    this.encoder = task.encoder();
    this.tables = task.encoder().tables();
    this.rejections = task.application().incoming().rejections();
    this.records = task.encoder().records();
    this.reader =
        new DefinitionReader(
            task.settings(),
            records.limit(),
            tables::calendars,
            task.application().brokers().targets(),
            tables.effort());
    this.owners =
        new OwnerCounts(
            task.settings().limits().owners(),
            task.settings().channels().partitions(),
            task.partition().stores().schedules(),
            this::overSince,
            clock,
            tables.effort());
    this.lastWrites = lastWrites;
    this.straysInTransit = straysInTransit;
    this.answers = answers;
    this.deadLetters = deadLetters;
    this.clock = clock;
    this.later = task.settings().channels().topics().later();
  }

  /** A paused schedule is not over, nor is one whose timetable cannot be read. */
  private Optional<Instant> overSince(
      ScheduleId id, Accepted accepted, Optional<ScheduleState> unstored, Instant by) {
    if (!accepted.enabled() && accepted.resumed().isEmpty()) {
      return Optional.empty();
    }
    try {
      tables.effort().renew();
      return tables
          .overSince(id, accepted, by)
          .filter(since -> isFree(unstored.or(() -> partition.load(id)).orElseThrow()));
    } catch (EffortSpentException | InvalidTriggerException e) {
      LOG.debug("Whether {} is over cannot be found", id, e);
      return Optional.empty();
    }
  }

  private boolean isFree(ScheduleState state) {
    return !state.isHeld() || tables.isHeldInVain(state);
  }

  /** Follows the changes of schedules, for the limits of owners. */
  void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after) {
    owners.changed(id, before, after);
  }

  /** Admits a record at home. */
  List<Effect> accept(Inbound inbound, Instant now) {
    boolean isStray = HeaderNames.text(inbound.headers(), HeaderNames.STRAY).isPresent();
    DefinitionReader.Reading reading = reader.read(inbound);
    if (!(reading instanceof DefinitionReader.Reading.Understood understood)) {
      return refuse(reading, inbound, now);
    }
    Optional<ScheduleState> state = partition.load(understood.id());
    boolean isOther =
        isStray
            && state.filter(it -> !TargetRecord.isDelayed(it.current().schedule())).isPresent()
            && isFromLater(inbound);
    return isOther
        ? keep(state.get(), inbound, now)
        : admit(understood, state, isStray, inbound, now);
  }

  /** Keeps a schedule that a record of the topic later names: its writers may change no others. */
  private List<Effect> keep(ScheduleState state, Inbound inbound, Instant now) {
    Problem other =
        Problems.of(
            HeaderNames.ID,
            "names the schedule \"%s\", which is no delayed record; choose another id"
                .formatted(state.id()));
    List<Effect> effects = new ArrayList<>(deadLetters.refuse(inbound, other, now));
    effects.add(new Effect.Send(records.definition(state)));
    return effects;
  }

  /**
   * Admits a stray from another partition. If it is newer than the last write of its schedule, this
   * task writes it to its own partition, and accepts it when it reads it there, in the order of
   * that partition.
   */
  List<Effect> acceptStray(Inbound stray, Instant now) {
    return acceptNewer(
        stray,
        now,
        (understood, state) -> {
          straysInTransit.sent(understood.id(), stray.revision(), now);
          return List.of(new Effect.Send(records.home(stray)));
        });
  }

  /**
   * Admits a stray where it is: a definition or a delete that acts after it is in the home
   * partition already, and stays the last one there.
   */
  List<Effect> acceptInPlace(Inbound stray, Instant now) {
    return acceptNewer(
        stray, now, (understood, state) -> admit(understood, state, true, stray, now));
  }

  /**
   * Writes the definition in force home once more if it is a stray that was admitted in place, and
   * no definition at home has replaced it.
   */
  Optional<Effect> restoreAtHome(ScheduleId id) {
    return partition
        .load(id)
        .filter(state -> Inbound.offsetAt(partition.number(), state.current().revision()) < 0)
        .map(state -> new Effect.Send(records.definition(state)));
  }

  /** Writes a stray delete that was admitted in place home, too, unless the schedule exists. */
  Optional<Effect> removeAtHome(ScheduleId id, Inbound stray, Instant now) {
    Instant written = stray.notAfter(now).timestamp();
    return partition.load(id).isPresent()
        ? Optional.empty()
        : Optional.of(new Effect.Send(records.removal(id, stray.revision(), written)));
  }

  private List<Effect> acceptNewer(
      Inbound stray,
      Instant now,
      BiFunction<DefinitionReader.Reading.Understood, Optional<ScheduleState>, List<Effect>>
          admit) {
    ScheduleId id = ScheduleId.parse(stray.key().orElseThrow());
    Optional<ScheduleState> state = partition.load(id);
    return switch (lastWrites.compare(id, state, stray.timestamp())) {
      case OVERTAKEN -> overtaken(id, state, stray, now);
      case FORGOTTEN ->
          deadLetters.refuse(
              stray,
              Problems.of(
                  "",
                  ("was written at %s; the scheduler no longer remembers whether its"
                          + " schedule was deleted since: write it again")
                      .formatted(stray.timestamp())),
              now);
      case NEWER -> {
        DefinitionReader.Reading reading = reader.read(stray);
        yield reading instanceof DefinitionReader.Reading.Understood understood
            ? admit.apply(understood, state)
            : refuse(reading, stray, now);
      }
    };
  }

  private List<Effect> admit(
      DefinitionReader.Reading.Understood understood,
      Optional<ScheduleState> state,
      boolean isStray,
      Inbound inbound,
      Instant now) {
    ScheduleId id = understood.id();
    Event event =
        state.isPresent() && understood.event() instanceof Event.Imported imported
            ? imported.asDefined()
            : understood.event();
    Arrival arrival =
        new Arrival(
            inbound,
            event,
            isAtHome(inbound),
            isStray,
            HeaderNames.text(inbound.headers(), HeaderNames.ORIGIN),
            state,
            lastWrites.removed(id));
    return effects(arrival.consequence(), id, arrival, now);
  }

  private List<Effect> effects(
      Arrival.Consequence consequence, ScheduleId id, Arrival arrival, Instant now) {
    Inbound inbound = arrival.inbound();
    if (consequence instanceof Arrival.Consequence.Decide) {
      return decide(id, arrival, now);
    }
    if (consequence instanceof Arrival.Consequence.RestoreDefinition) {
      return List.of(new Effect.Send(records.definition(arrival.state().orElseThrow())));
    }
    if (consequence instanceof Arrival.Consequence.RestoreRemoval restore) {
      return List.of(new Effect.Send(records.removal(id, restore.revision(), restore.removedAt())));
    }
    if (consequence instanceof Arrival.Consequence.RememberRemoval) {
      Instant written = inbound.notAfter(now).timestamp();
      return List.of(
          new Effect.RememberRemoved(
              id, written, inbound.offset(), EarlierLives.endedAt(written), now));
    }
    if (consequence instanceof Arrival.Consequence.Overtaken overtaken) {
      return Stream.concat(
              overtaken.correction().stream()
                  .flatMap(correction -> effects(correction, id, arrival, now).stream()),
              overtaken(id, arrival.state(), inbound, now).stream())
          .toList();
    }
    if (consequence instanceof Arrival.Consequence.Known) {
      return List.of();
    }
    throw new IllegalStateException("no such consequence: " + consequence);
  }

  private List<Effect> overtaken(
      ScheduleId id, Optional<ScheduleState> state, Inbound stray, Instant now) {
    Instant last = LastWrites.of(state, lastWrites.removed(id)).orElseThrow();
    String message =
        "was written at %s, and the last write of this schedule at %s%s"
            .formatted(
                stray.timestamp(),
                last,
                state.isPresent()
                    ? ": that definition stays in force"
                    : ": the schedule stays deleted");
    LOG.debug("Overtaken: {} at {} {}", id, stray.revision(), message);
    if (isFromLater(stray)
        && state.isEmpty()
        && stray.value().isPresent()
        && last.equals(stray.timestamp())) {
      Problem tie =
          Problems.of(
              HeaderNames.ID,
              ("names \"%s\", which was cancelled in the millisecond in which this was written, %s;"
                      + " if it came after that, send it again")
                  .formatted(id, last));
      return deadLetters.refuse(stray, tie, now);
    }
    return answers.answer(
        stray, Reply.refusing(Verdict.CONFLICT, state, List.of(Problems.of("", message))), now);
  }

  private boolean isAtHome(Inbound inbound) {
    return inbound.partition() == partition.number();
  }

  /** The record's own timestamp, from before a move may have set it back; at most now. */
  private static Instant ownTimestamp(Inbound inbound, Instant now) {
    Instant written = inbound.timestamp();
    try {
      written =
          HeaderNames.text(inbound.headers(), HeaderNames.STAMPED)
              .map(Long::valueOf)
              .map(Instant::ofEpochMilli)
              .orElse(written);
    } catch (NumberFormatException e) {
      LOG.debug("No timestamp in {} of {}", HeaderNames.STAMPED, inbound.revision(), e);
    }
    return written.isAfter(now) ? now : written;
  }

  private List<Effect> decide(ScheduleId id, Arrival arrival, Instant now) {
    Inbound inbound = arrival.inbound();
    Optional<ScheduleState> before = arrival.state();
    if (arrival.event() instanceof Event.Imported imported) {
      List<Problem> problems = reader.problems(id, imported);
      if (!problems.isEmpty()) {
        return reject(id, before, problems, inbound, now);
      }
    }
    Optional<EarlierLives> earlier =
        before.isPresent() // an edit ignores them
            ? Optional.empty()
            : lastWrites.earlier(arrival.removed(), inbound.timestamp());
    Event event = arrival.event().after(earlier).by(clock.get());
    EncodedDecision encoded;
    Optional<Problem> tooLarge;
    try {
      encoded = encoder.of(id, before, event, AuthorNote.of(inbound.headers()), now);
      tooLarge = tooLarge(arrival.event(), encoded.decision());
    } catch (RuntimeException e) {
      rejections.failed("Deciding " + inbound.revision() + " failed", e);
      return reject(id, before, List.of(Problems.of("", "deciding it failed: " + e)), inbound, now);
    }
    Optional<Problem> refusal =
        tooLarge.isPresent()
            ? tooLarge
            : owners.tooMany(
                id, before, encoded.decision().state(), inbound.notAfter(now).timestamp());
    if (refusal.isPresent()) {
      return reject(id, before, List.of(refusal.get()), inbound, now);
    }
    List<Effect> effects = new ArrayList<>(3);
    if (arrival.event() instanceof Event.Deleted) {
      effects.add(
          new Effect.RememberRemoved(
              id,
              ownTimestamp(inbound, now),
              isAtHome(inbound) ? inbound.offset() : -1,
              encoded.decision().ended().orElseThrow(),
              now));
    }
    encoded = encoded.saidAt(ownTimestamp(inbound, now));
    effects.add(new Effect.Decided(before, encoded));
    counts.accepted(InputTopic.SCHEDULES);
    Decision decision = encoded.decision();
    if (isIgnored(arrival.event(), decision)) {
      effects.add(new Effect.Send(records.definition(decision.state().orElseThrow())));
    }
    boolean endsRejection = rejectedLately.remove(id);
    if (endsRejection && decision.verdict().equals(Optional.of(Verdict.UNCHANGED))) {
      effects.add(new Effect.Send(records.status(decision.state().orElseThrow(), now)));
    }
    Verdict verdict = decision.verdict().orElseThrow();
    if (AnswerAddress.of(inbound.headers()).isPresent()) {
      Reply reply =
          Reply.of(verdict, decision.state(), decision.next().isPresent(), nextToFire(decision));
      if (arrival.event() instanceof Event.Defined defined) {
        reply = reply.with(DefinitionWarnings.of(defined.schedule()));
      }
      effects.addAll(answers.answer(inbound, reply, now));
    }
    LOG.debug("{} {} at {}", verdict, id, inbound.revision());
    return effects;
  }

  /** Calendars and skips may leave out what the schedule waits for. */
  private Optional<Occurrence> nextToFire(Decision decision) {
    Optional<ScheduleState> leavesOut =
        decision
            .state()
            .filter(state -> decision.next().isPresent())
            .filter(
                state ->
                    Exclusions.namesCalendars(state.current().schedule())
                        || !state.current().schedule().getSkip().isEmpty());
    return leavesOut.isEmpty() ? decision.next() : encoder.decider().nextToFire(leavesOut.get());
  }

  /**
   * True for a definition that differs from the one in force and does not replace it: a timer that
   * only moves to a later instant. The topic must hold the definition in force as its last record.
   */
  private static boolean isIgnored(Event event, Decision decision) {
    return event instanceof Event.Defined defined
        && decision.verdict().equals(Optional.of(Verdict.UNCHANGED))
        && !defined.schedule().equals(decision.state().orElseThrow().current().schedule());
  }

  /**
   * The problem that a waiting fire of an import does not fit its definition, or that an imported
   * state does not fit the stores.
   */
  private Optional<Problem> tooLarge(Event event, Decision decision) {
    if (!decision.verdict().equals(Optional.of(Verdict.ACCEPTED))) {
      return Optional.empty();
    }
    ScheduleState state = decision.state().orElseThrow();
    long waiting = state.commanded().fires().bytes();
    if (event instanceof Event.Imported && waiting > CommandValidation.MAX_WAITING_BYTES) {
      return Optional.of(
          Problems.of(
              HeaderNames.IMPORT + ".fires",
              ("with this definition they take %s bytes, and at most %s may wait; import a"
                      + " smaller definition first, or fewer of them")
                  .formatted(waiting, CommandValidation.MAX_WAITING_BYTES)));
    }
    Optional<Problem> fire = records.limit().ofWaiting(state);
    return fire.isEmpty() && event instanceof Event.Imported ? reader.tooLarge(state) : fire;
  }

  private List<Effect> reject(
      ScheduleId id,
      Optional<ScheduleState> state,
      List<Problem> all,
      Inbound inbound,
      Instant now) {
    if (isFromLater(inbound)) { // its sender looks for it there, and knows of no status
      return deadLetters.refuse(inbound, all, now);
    }
    List<Problem> problems = BoundedText.problems(all);
    counts.rejectedDefinition(id, state, now);
    if (rejectedLately.size() < MAX_REMEMBERED) {
      rejectedLately.add(id);
    }
    rejections.rejected("Rejected " + id + " at " + inbound.revision(), Problems.text(problems));
    List<Effect> effects = new ArrayList<>(2);
    effects.add(new Effect.Send(records.rejected(id, state, inbound.revision(), problems, now)));
    effects.addAll(answers.answer(inbound, Reply.refusing(Verdict.REJECTED, state, problems), now));
    return effects;
  }

  private boolean isFromLater(Inbound inbound) {
    return HeaderNames.text(inbound.headers(), HeaderNames.STRAY)
        .filter(place -> place.startsWith(later + "-"))
        .isPresent();
  }

  /**
   * @param reading of a record that was not understood
   */
  private List<Effect> refuse(DefinitionReader.Reading reading, Inbound inbound, Instant now) {
    if (reading instanceof DefinitionReader.Reading.Rejected rejected) {
      ScheduleId id = rejected.id();
      return reject(id, partition.load(id), rejected.problems(), inbound, now);
    }
    DefinitionReader.Reading.Dead dead = (DefinitionReader.Reading.Dead) reading;
    if (dead.id().isEmpty()) {
      return deadLetters.refuse(inbound, dead.problem(), now);
    }
    ScheduleId id = dead.id().get();
    return Stream.concat(
            Stream.of(deadLetters.send(inbound, dead.problem(), now)),
            reject(id, partition.load(id), List.of(dead.problem()), inbound, now).stream())
        .toList();
  }
}
