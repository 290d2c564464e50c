package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
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
  private final TaskContext task;
  private final Consumer<Effect> effects;
  private final DeadLetterSender deadLetters;
  private final int largestCopy;

  AdmitOutcome(AdmissionContext context) {
    this.task = context.task();
    this.reader = new OutcomeReader(task.settings());
    this.effects = context.effects();
    this.deadLetters = context.deadLetters();
    this.largestCopy =
        Math.min(LARGEST_COPY, task.settings().limits().maxStrayBytes() - Strays.OVERHEAD);
  }

  /** Admits a record of this partition; ignores the copy of a stray, which was admitted before. */
  void accept(Inbound inbound, Instant now) {
    if (inbound.headers().lastHeader(HeaderNames.STRAY) == null) {
      read(inbound, now).ifPresent(reported -> admit(reported, inbound, now));
    }
  }

  /**
   * Admits a stray, and writes it to this partition in the same transaction. A stray that is so
   * large that its topic might refuse it is admitted without the copy.
   */
  void acceptStray(Inbound stray, Instant now) {
    read(stray, now)
        .ifPresent(
            reported -> {
              admit(reported, stray, now);
              if (stray.size() <= largestCopy) {
                effects.accept(new Effect.Send(task.records().home(stray)));
              }
            });
  }

  /** Empty for a record that is no valid outcome. */
  private Optional<OutcomeReader.Reading.Understood> read(Inbound inbound, Instant now) {
    OutcomeReader.Reading reading = reader.read(inbound);
    if (reading instanceof OutcomeReader.Reading.Understood understood) {
      return Optional.of(understood);
    }
    deadLetters.refuse(inbound, ((OutcomeReader.Reading.Bad) reading).problems(), now);
    return Optional.empty();
  }

  private void admit(OutcomeReader.Reading.Understood reported, Inbound inbound, Instant now) {
    task.counts().reported(reported.outcome().getState());
    if (isApplied(reported, inbound, now)) {
      task.counts().accepted(InputTopic.OUTCOMES);
    } else {
      task.counts().ignoredOutcome();
      LOG.debug("Ignored the outcome of {} at {}", reported.fire(), inbound.revision());
    }
  }

  /**
   * @return false when the outcome changes nothing
   */
  @SuppressWarnings("ReferenceEquality") // a report that changes nothing returns the same object
  private boolean isApplied(
      OutcomeReader.Reading.Understood reported, Inbound inbound, Instant now) {
    if (reported.fire().commandId().isPresent()) {
      return false;
    }
    Optional<ScheduleState> before = task.load(reported.fire().schedule());
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
            inbound.timestamp(),
            inbound.revision());
    EncodedDecision encoded = task.encoder().orFault(before.get(), event, now);
    if (encoded.decision().state().orElseThrow() == before.get()) {
      return false;
    }
    effects.accept(new Effect.Decided(before, encoded));
    return true;
  }
}
