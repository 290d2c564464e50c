package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.decide.Decision;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.AnswerAddress;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import io.waterclock.topology.scheduler.model.EarlierLives;
import io.waterclock.topology.scheduler.model.Event;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.store.States;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Takes a record in: accepts it, rejects it with its reasons, or sends it to the dead-letter topic.
 * Answers whoever asked. Fires nothing.
 */
public final class AdmitDefinition {
  private static final Logger LOG = SafeLogger.of(AdmitDefinition.class);

  private static final int MAX_REMEMBERED = 10_000;

  /** Schedules whose status tells of a rejection, which the next good record ends. */
  private final Set<ScheduleId> rejectedLately = new HashSet<>();

  private final DecisionEncoder preparing;
  private final States states;
  private final Applier applier;
  private final OutgoingRecords records;
  private final DefinitionReader reader;
  private final OwnerCounts owners;
  private final LastWrites lastWords;
  private final StraysInTransit homeward;
  private final AnswerSender answering;
  private final DeadLetterSender deadLetters;
  private final Counts counts;

  public AdmitDefinition(
      DecisionEncoder preparing,
      States states,
      Applier applier,
      OutgoingRecords records,
      DefinitionReader reader,
      OwnerCounts owners,
      LastWrites lastWords,
      StraysInTransit homeward,
      AnswerSender answering,
      DeadLetterSender deadLetters,
      Counts counts) {
    this.preparing = preparing;
    this.states = states;
    this.applier = applier;
    this.records = records;
    this.reader = reader;
    this.owners = owners;
    this.lastWords = lastWords;
    this.homeward = homeward;
    this.answering = answering;
    this.deadLetters = deadLetters;
    this.counts = counts;
  }

  /**
   * @return the schedule that the record was about, if it was about one
   */
  Optional<ScheduleId> accept(Inbound inbound, Instant now) {
    Optional<String> stray = AnswerAddress.text(inbound.headers(), Headers.STRAY);
    stray.ifPresent(place -> homeward.arrived(inbound.keyText(), place));
    DefinitionReader.Reading reading = reader.read(inbound);
    if (reading instanceof DefinitionReader.Reading.Understood understood) {
      understood(understood, stray.isPresent(), inbound, now);
      return Optional.of(understood.id());
    }
    return refuse(reading, inbound, now);
  }

  /**
   * Takes in a stray that has come from another partition. If it is newer than the last word on its
   * schedule it is written to this partition, and accepted once it is read there: whatever comes to
   * the partition before it is read before it.
   */
  void comeHome(Inbound stray, Instant now) {
    ScheduleId id = ScheduleId.parse(stray.key().orElseThrow());
    Optional<ScheduleState> state = states.load(id, applier.position());
    switch (lastWords.judge(id, state, stray.timestamp())) {
      case OLDER -> overtaken(id, state, stray, now);
      case FORGOTTEN ->
          deadLetters.refuse(
              stray,
              problem(
                  "",
                  "was written at "
                      + stray.timestamp()
                      + "; whether its schedule was deleted since is not remembered any more: write"
                      + " it again"),
              now);
      case NEWER -> {
        DefinitionReader.Reading reading = reader.read(stray);
        if (reading instanceof DefinitionReader.Reading.Understood) {
          applier.send(records.home(stray));
          homeward.left(id, stray.revision());
        } else {
          refuse(reading, stray, now);
        }
      }
    }
  }

  private void understood(
      DefinitionReader.Reading.Understood understood,
      boolean isStray,
      Inbound inbound,
      Instant now) {
    ScheduleId id = understood.id();
    Optional<String> origin = AnswerAddress.text(inbound.headers(), Headers.ORIGIN);
    Optional<ScheduleState> before = states.load(id, applier.position());
    if (isReadAgain(id, before, inbound)) {
      return;
    }
    if (origin.isPresent()) {
      ownRecord(understood, before, origin.get(), inbound, now);
    } else if (isStray && isOvertaken(id, before, inbound)) {
      correct(id, before, inbound);
      overtaken(id, before, inbound, now);
    } else {
      apply(understood, before, inbound, now);
    }
  }

  /**
   * A record that the scheduler wrote itself, read back: the tombstone of a completed schedule, or
   * a definition or a tombstone that the topic had to be corrected with. The schedule may have been
   * defined anew before that was in the topic; then the topic is made to say so again. It may have
   * been deleted before a correction was in the topic; then a tombstone corrects the correction.
   * Where the state was lost, these records mean what they say.
   *
   * <p>Whoever may define schedules may write the header, too. It gives them nothing: a record that
   * says what is not in force is taken in as one without the header is, or corrected.
   *
   * @param revision the revision that the record was meant for
   */
  private void ownRecord(
      DefinitionReader.Reading.Understood understood,
      Optional<ScheduleState> state,
      String revision,
      Inbound inbound,
      Instant now) {
    ScheduleId id = understood.id();
    boolean isTombstone = inbound.value().isEmpty();
    if (state.isPresent()) {
      boolean isMeant = state.get().current().revision().equals(revision);
      if (isMeant && (isTombstone || !repeats(understood.event(), state.get()))) {
        apply(understood, state, inbound, now);
      } else if (!isMeant) {
        applier.send(records.definition(state.get()));
      }
    } else if (isTombstone) {
      Instant written = inbound.notAfter(now).timestamp();
      applier.noteRemoved(id, written, inbound.offset(), EarlierLives.endedAt(written), now);
    } else {
      Optional<Instant> removed = lastWords.of(id, state);
      if (removed.filter(at -> !at.isBefore(inbound.timestamp())).isPresent()) {
        applier.send(records.removal(id, revision, removed.get()));
      } else {
        apply(understood, state, inbound, now);
      }
    }
  }

  /** True for the definition that is in force. */
  private static boolean repeats(Event event, ScheduleState state) {
    return event instanceof Event.Defined defined
        && defined.schedule().equals(state.current().schedule());
  }

  /**
   * True when a newer record was read between a stray's coming and its being read here. What is
   * gone does not come back for one that is as old as the last word: that may be its own.
   */
  private boolean isOvertaken(ScheduleId id, Optional<ScheduleState> state, Inbound stray) {
    return lastWords
        .of(id, state)
        .filter(
            last ->
                state.isPresent()
                    ? last.isAfter(stray.timestamp())
                    : !last.isBefore(stray.timestamp()))
        .isPresent();
  }

  /** Makes the topic end with what is in force, where an overtaken stray is its last word. */
  private void correct(ScheduleId id, Optional<ScheduleState> state, Inbound stray) {
    if (state.isPresent()) {
      applier.send(records.definition(state.get()));
    } else if (stray.value().isPresent()) {
      Instant last = lastWords.of(id, state).orElseThrow();
      applier.send(records.removal(id, stray.revision(), last));
    }
  }

  private void overtaken(ScheduleId id, Optional<ScheduleState> state, Inbound stray, Instant now) {
    Instant last = lastWords.of(id, state).orElseThrow();
    String message =
        "was written at "
            + stray.timestamp()
            + ", and the last word on this schedule at "
            + last
            + (state.isPresent() ? ": that one stays in force" : ": it stays deleted");
    LOG.debug("Overtaken: {} at {} {}", id, stray.revision(), message);
    answering.answer(
        stray, Verdict.CONFLICT, state, Optional.empty(), List.of(problem("", message)), now);
  }

  /**
   * True for a record that was processed before, or that a later one has replaced: after an outage
   * in which Kafka forgot the committed offsets, the whole partition is read again. That the topic
   * is still the same, so that offsets mean what they meant, was seen to at the start.
   */
  private boolean isReadAgain(ScheduleId id, Optional<ScheduleState> state, Inbound inbound) {
    if (state.isEmpty()) {
      return lastWords.isBeforeRemoval(id, inbound.offset());
    }
    String place = inbound.topic() + "-" + inbound.partition() + "@";
    return Optional.of(state.get().current().revision())
        .filter(revision -> revision.startsWith(place))
        .filter(revision -> inbound.offset() <= Inbound.offsetOf(revision))
        .isPresent();
  }

  /** When a record was written, by its own account, but not after now. */
  private static Instant said(Inbound inbound, Instant now) {
    Instant written = inbound.timestamp();
    try {
      written =
          AnswerAddress.text(inbound.headers(), Headers.STAMPED)
              .map(Long::valueOf)
              .map(Instant::ofEpochMilli)
              .orElse(written);
    } catch (NumberFormatException e) {
      LOG.debug("No timestamp in {} of {}", Headers.STAMPED, inbound.revision(), e);
    }
    return written.isAfter(now) ? now : written;
  }

  private void apply(
      DefinitionReader.Reading.Understood understood,
      Optional<ScheduleState> before,
      Inbound inbound,
      Instant now) {
    ScheduleId id = understood.id();
    if (before.isEmpty() && understood.event() instanceof Event.Imported imported) {
      List<Problem> problems = reader.problems(id, imported);
      if (!problems.isEmpty()) {
        reject(id, before, problems, inbound, now);
        return;
      }
    }
    Event event =
        before.isPresent()
            ? understood.event()
            : understood.event().after(lastWords.earlier(id, inbound.timestamp()));
    EncodedDecision prepared;
    Optional<Problem> tooLarge;
    try {
      prepared = preparing.of(id, before, event, now);
      tooLarge = tooLarge(understood.event(), prepared.decision());
    } catch (RuntimeException e) {
      LOG.warn("Rejected {} at {}: deciding it failed", id, inbound.revision(), e);
      reject(id, before, List.of(problem("", "deciding it failed: " + e)), inbound, now);
      return;
    }
    Optional<Problem> refusal =
        tooLarge.isPresent() ? tooLarge : owners.tooMany(id, before, prepared.decision().state());
    if (refusal.isPresent()) {
      reject(id, before, List.of(refusal.get()), inbound, now);
      return;
    }
    if (understood.event() instanceof Event.Deleted) {
      applier.noteRemoved(
          id, said(inbound, now), inbound.offset(), prepared.decision().ended().orElseThrow(), now);
    }
    prepared = prepared.saidAt(said(inbound, now));
    applier.apply(before, prepared);
    counts.accepted(InputTopic.SCHEDULES);
    Decision decision = prepared.decision();
    boolean endsRejection = rejectedLately.remove(id);
    if (endsRejection && decision.verdict().equals(Optional.of(Verdict.UNCHANGED))) {
      applier.send(records.status(decision.state().orElseThrow(), now));
    }
    Verdict verdict = decision.verdict().orElseThrow();
    answering.answer(inbound, verdict, decision.state(), decision.next(), List.of(), now);
    LOG.debug("{} {} at {}", verdict, id, inbound.revision());
  }

  /**
   * That a fire which was ordered before does not fit the definition that would be accepted, or the
   * state of an import does not fit the stores.
   */
  private Optional<Problem> tooLarge(Event event, Decision decision) {
    if (!decision.verdict().equals(Optional.of(Verdict.ACCEPTED))) {
      return Optional.empty();
    }
    ScheduleState state = decision.state().orElseThrow();
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
    counts.rejected(InputTopic.SCHEDULES);
    if (rejectedLately.size() < MAX_REMEMBERED) {
      rejectedLately.add(id);
    }
    LOG.warn("Rejected {} at {}: {}", id, inbound.revision(), Problems.text(problems));
    applier.send(records.rejected(id, state, inbound.revision(), problems, now));
    answering.answer(inbound, Verdict.REJECTED, state, Optional.empty(), problems, now);
  }

  /**
   * @return the schedule that the record was about, if it was about one
   */
  private Optional<ScheduleId> refuse(
      DefinitionReader.Reading reading, Inbound inbound, Instant now) {
    if (reading instanceof DefinitionReader.Reading.Rejected rejected) {
      ScheduleId id = rejected.id();
      reject(id, states.load(id, applier.position()), rejected.problems(), inbound, now);
      return Optional.of(id);
    }
    if (reading instanceof DefinitionReader.Reading.Dead dead) {
      if (dead.id().isEmpty()) {
        deadLetters.refuse(inbound, dead.problem(), now);
        return Optional.empty();
      }
      ScheduleId id = dead.id().get();
      deadLetters.send(inbound, dead.problem(), now);
      reject(id, states.load(id, applier.position()), List.of(dead.problem()), inbound, now);
      return dead.id();
    }
    throw new IllegalStateException("understood, not to be refused: " + inbound.revision());
  }

  private static Problem problem(String field, String message) {
    return Problem.newBuilder().setField(field).setMessage(message).build();
  }
}
