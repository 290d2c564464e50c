package io.waterclock.topology.stream;

import io.waterclock.schemas.avro.Outcome;
import io.waterclock.topology.decide.Event;
import io.waterclock.topology.decide.ScheduleState;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in what workers report of fires. What no schedule asked for changes nothing and is only
 * counted: a worker may report everything that it runs. A record that is no outcome goes to the
 * dead-letter topic. Fires nothing.
 */
final class AcceptOutcome {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptOutcome.class);

  private final OutcomeReader reader;
  private final Preparing preparing;
  private final States states;
  private final Applier applier;
  private final DeadLetters deadLetters;
  private final Counts counts;

  AcceptOutcome(
      Settings settings,
      Preparing preparing,
      States states,
      Applier applier,
      DeadLetters deadLetters,
      Counts counts) {
    this.reader = new OutcomeReader(settings);
    this.preparing = preparing;
    this.states = states;
    this.applier = applier;
    this.deadLetters = deadLetters;
    this.counts = counts;
  }

  void accept(Inbound inbound, Instant now) {
    OutcomeReader.Reading reading = reader.read(inbound);
    if (reading instanceof OutcomeReader.Reading.Understood understood) {
      counts.reported(understood.outcome().getState());
      if (take(understood, inbound, now)) {
        counts.accepted(Input.OUTCOMES);
      } else {
        counts.ignoredOutcome();
        LOG.debug("Ignored the outcome of {} at {}", understood.fire(), inbound.revision());
      }
    } else if (reading instanceof OutcomeReader.Reading.Bad bad) {
      deadLetters.refuse(inbound, bad.problems(), now);
    }
  }

  /**
   * @return false when it changes nothing
   */
  @SuppressWarnings("ReferenceEquality") // a state that a report leaves alone is the same object
  private boolean take(OutcomeReader.Reading.Understood reported, Inbound inbound, Instant now) {
    if (reported.fire().commandId().isPresent()) {
      return false;
    }
    Optional<ScheduleState> before = states.load(reported.fire().schedule(), applier.position());
    if (before.isEmpty()) {
      return false;
    }
    Outcome outcome = reported.outcome();
    Event event =
        new Event.Reported(
            reported.fire().occurrence(),
            outcome.getState(),
            Optional.ofNullable(outcome.getStartedAt()),
            Optional.ofNullable(outcome.getError()),
            inbound.timestamp());
    Prepared prepared = preparing.orPark(before.get(), event, now);
    if (prepared.decision().state().orElseThrow() == before.get()) {
      return false;
    }
    applier.apply(before, prepared);
    return true;
  }
}
