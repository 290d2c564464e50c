package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.CommandValidation;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.admit.AnswerSender.Reply;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.AnswerAddress;
import io.waterclock.topology.scheduler.input.AuthorNote;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

  private final TaskContext task;
  private final Consumer<Effect> effects;
  private final OutgoingRecords records;
  private final DefinitionReader reader;
  private final OwnerCounts owners;
  private final LastWrites lastWrites;
  private final StraysInTransit straysInTransit;
  private final AnswerSender answers;
  private final DeadLetterSender deadLetters;
  private final Supplier<Instant> clock;

  AdmitDefinition(AdmissionContext context) {
    TaskContext task = context.task();
    this.task = task;
    this.effects = context.effects();
    this.records = task.records();
    this.reader = new DefinitionReader(task);
    this.owners =
        new OwnerCounts(
            task.settings().limits().owners(),
            task.settings().partitions(),
            task.stores().schedules(),
            this::isOver);
    this.lastWrites = context.lastWrites();
    this.straysInTransit = context.straysInTransit();
    this.answers = context.answers();
    this.deadLetters = context.deadLetters();
    this.clock = context::clock;
  }

  /** A paused schedule is not over, nor is one whose timetable cannot be read. */
  private boolean isOver(ScheduleStore.Row row, Instant by) {
    Accepted accepted = row.stored().accepted();
    try {
      task.tables().effort().renew();
      return (accepted.enabled() || accepted.resumed().isPresent())
          && task.tables().isOver(row.id(), accepted, by)
          && isFree(task.load(row.id()).orElseThrow());
    } catch (EffortSpentException | InvalidTriggerException e) {
      LOG.debug("Whether {} is over cannot be found", row.id(), e);
      return false;
    }
  }

  private boolean isFree(ScheduleState state) {
    return !state.isHeld() || task.tables().isHeldInVain(state);
  }

  /** Follows the changes of schedules, for the limits of owners. */
  void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after) {
    owners.changed(id, before, after);
  }

  /**
   * Admits a record at home.
   *
   * @return the schedule of the record; empty when the key is no schedule id
   */
  Optional<ScheduleId> accept(Inbound inbound, Instant now) {
    Optional<String> stray = AnswerAddress.text(inbound.headers(), HeaderNames.STRAY);
    DefinitionReader.Reading reading = reader.read(inbound);
    if (reading instanceof DefinitionReader.Reading.Understood understood) {
      admit(understood, stray.isPresent(), inbound, now);
      return Optional.of(understood.id());
    }
    return refuse(reading, inbound, now);
  }

  /**
   * Admits a stray from another partition. If it is newer than the last write of its schedule, this
   * task writes it to its own partition, and accepts it when it reads it there, in the order of
   * that partition.
   */
  void acceptStray(Inbound stray, Instant now) {
    acceptNewer(
        stray,
        now,
        understood -> {
          effects.accept(new Effect.Send(records.home(stray)));
          straysInTransit.sent(understood.id(), stray.revision(), now);
        });
  }

  /**
   * Admits a stray where it is: a definition or a delete that acts after it is in the home
   * partition already, and stays the last one there.
   */
  void acceptInPlace(Inbound stray, Instant now) {
    acceptNewer(stray, now, understood -> admit(understood, true, stray, now));
  }

  /**
   * Writes the definition in force home once more if it is a stray that was admitted in place, and
   * no definition at home has replaced it.
   */
  void restoreAtHome(ScheduleId id) {
    task.load(id)
        .filter(state -> Inbound.offsetAt(task.partition(), state.current().revision()) < 0)
        .ifPresent(state -> effects.accept(new Effect.Send(records.definition(state))));
  }

  /** Writes a stray delete that was admitted in place home, too, unless the schedule exists. */
  void removeAtHome(ScheduleId id, Inbound stray, Instant now) {
    if (task.load(id).isEmpty()) {
      Instant written = stray.notAfter(now).timestamp();
      effects.accept(new Effect.Send(records.removal(id, stray.revision(), written)));
    }
  }

  private void acceptNewer(
      Inbound stray, Instant now, Consumer<DefinitionReader.Reading.Understood> admit) {
    ScheduleId id = ScheduleId.parse(stray.key().orElseThrow());
    Optional<ScheduleState> state = task.load(id);
    switch (lastWrites.compare(id, state, stray.timestamp())) {
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
        if (reading instanceof DefinitionReader.Reading.Understood understood) {
          admit.accept(understood);
        } else {
          refuse(reading, stray, now);
        }
      }
    }
  }

  private void admit(
      DefinitionReader.Reading.Understood understood,
      boolean isStray,
      Inbound inbound,
      Instant now) {
    ScheduleId id = understood.id();
    Optional<ScheduleState> state = task.load(id);
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
            AnswerAddress.text(inbound.headers(), HeaderNames.ORIGIN),
            state,
            lastWrites.removed(id));
    apply(arrival.consequence(), id, arrival, now);
  }

  private void apply(Arrival.Consequence consequence, ScheduleId id, Arrival arrival, Instant now) {
    Inbound inbound = arrival.inbound();
    if (consequence instanceof Arrival.Consequence.Decide) {
      decide(id, arrival, now);
    } else if (consequence instanceof Arrival.Consequence.RestoreDefinition) {
      effects.accept(new Effect.Send(records.definition(arrival.state().orElseThrow())));
    } else if (consequence instanceof Arrival.Consequence.RestoreRemoval restore) {
      effects.accept(new Effect.Send(records.removal(id, restore.revision(), restore.removedAt())));
    } else if (consequence instanceof Arrival.Consequence.RememberRemoval) {
      Instant written = inbound.notAfter(now).timestamp();
      effects.accept(
          new Effect.RememberRemoved(
              id, written, inbound.offset(), EarlierLives.endedAt(written), now));
    } else if (consequence instanceof Arrival.Consequence.Overtaken overtaken) {
      overtaken.correction().ifPresent(correction -> apply(correction, id, arrival, now));
      overtaken(id, arrival.state(), inbound, now);
    } else if (!(consequence instanceof Arrival.Consequence.Known)) {
      throw new IllegalStateException("no such consequence: " + consequence);
    }
  }

  private void overtaken(ScheduleId id, Optional<ScheduleState> state, Inbound stray, Instant now) {
    Instant last = lastWrites.of(id, state).orElseThrow();
    String message =
        "was written at %s, and the last write of this schedule at %s%s"
            .formatted(
                stray.timestamp(),
                last,
                state.isPresent()
                    ? ": that definition stays in force"
                    : ": the schedule stays deleted");
    LOG.debug("Overtaken: {} at {} {}", id, stray.revision(), message);
    answers.answer(
        stray, Reply.refusing(Verdict.CONFLICT, state, List.of(Problems.of("", message))), now);
  }

  private boolean isAtHome(Inbound inbound) {
    return inbound.partition() == task.partition();
  }

  /** The record's own timestamp, from before a move may have set it back; at most now. */
  private static Instant ownTimestamp(Inbound inbound, Instant now) {
    Instant written = inbound.timestamp();
    try {
      written =
          AnswerAddress.text(inbound.headers(), HeaderNames.STAMPED)
              .map(Long::valueOf)
              .map(Instant::ofEpochMilli)
              .orElse(written);
    } catch (NumberFormatException e) {
      LOG.debug("No timestamp in {} of {}", HeaderNames.STAMPED, inbound.revision(), e);
    }
    return written.isAfter(now) ? now : written;
  }

  private void decide(ScheduleId id, Arrival arrival, Instant now) {
    Inbound inbound = arrival.inbound();
    Optional<ScheduleState> before = arrival.state();
    if (arrival.event() instanceof Event.Imported imported) {
      List<Problem> problems = reader.problems(id, imported);
      if (!problems.isEmpty()) {
        reject(id, before, problems, inbound, now);
        return;
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
      encoded = task.encoder().of(id, before, event, AuthorNote.of(inbound.headers()), now);
      tooLarge = tooLarge(arrival.event(), encoded.decision());
    } catch (RuntimeException e) {
      task.application().rejections().failed("Deciding " + inbound.revision() + " failed", e);
      reject(id, before, List.of(Problems.of("", "deciding it failed: " + e)), inbound, now);
      return;
    }
    Optional<Problem> refusal =
        tooLarge.isPresent()
            ? tooLarge
            : owners.tooMany(
                id, before, encoded.decision().state(), inbound.notAfter(now).timestamp());
    if (refusal.isPresent()) {
      reject(id, before, List.of(refusal.get()), inbound, now);
      return;
    }
    if (arrival.event() instanceof Event.Deleted) {
      effects.accept(
          new Effect.RememberRemoved(
              id,
              ownTimestamp(inbound, now),
              isAtHome(inbound) ? inbound.offset() : -1,
              encoded.decision().ended().orElseThrow(),
              now));
    }
    encoded = encoded.saidAt(ownTimestamp(inbound, now));
    effects.accept(new Effect.Decided(before, encoded));
    task.counts().accepted(InputTopic.SCHEDULES);
    Decision decision = encoded.decision();
    if (isIgnored(arrival.event(), decision)) {
      effects.accept(new Effect.Send(records.definition(decision.state().orElseThrow())));
    }
    boolean endsRejection = rejectedLately.remove(id);
    if (endsRejection && decision.verdict().equals(Optional.of(Verdict.UNCHANGED))) {
      effects.accept(new Effect.Send(records.status(decision.state().orElseThrow(), now)));
    }
    Verdict verdict = decision.verdict().orElseThrow();
    answers.answer(inbound, Reply.of(verdict, decision.state(), decision.next()), now);
    LOG.debug("{} {} at {}", verdict, id, inbound.revision());
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

  private void reject(
      ScheduleId id,
      Optional<ScheduleState> state,
      List<Problem> all,
      Inbound inbound,
      Instant now) {
    List<Problem> problems = BoundedText.problems(all);
    task.counts().rejected(InputTopic.SCHEDULES);
    if (rejectedLately.size() < MAX_REMEMBERED) {
      rejectedLately.add(id);
    }
    task.application()
        .rejections()
        .rejected("Rejected " + id + " at " + inbound.revision(), Problems.text(problems));
    effects.accept(new Effect.Send(records.rejected(id, state, inbound.revision(), problems, now)));
    answers.answer(inbound, Reply.refusing(Verdict.REJECTED, state, problems), now);
  }

  /**
   * @param reading of a record that was not understood
   * @return the schedule of the record; empty when the key is no schedule id
   */
  private Optional<ScheduleId> refuse(
      DefinitionReader.Reading reading, Inbound inbound, Instant now) {
    if (reading instanceof DefinitionReader.Reading.Rejected rejected) {
      ScheduleId id = rejected.id();
      reject(id, task.load(id), rejected.problems(), inbound, now);
      return Optional.of(id);
    }
    DefinitionReader.Reading.Dead dead = (DefinitionReader.Reading.Dead) reading;
    if (dead.id().isEmpty()) {
      deadLetters.refuse(inbound, dead.problem(), now);
      return Optional.empty();
    }
    ScheduleId id = dead.id().get();
    deadLetters.send(inbound, dead.problem(), now);
    reject(id, task.load(id), List.of(dead.problem()), inbound, now);
    return dead.id();
  }
}
