package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.input.RecordKey;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Takes in the records that are at home. One whose schema the registry has not told is parked, and
 * what comes after it under its key waits behind it; everything else goes on, the schedule that it
 * would change included. docs/adr/0009-heldRecords.md says why.
 *
 * <p>A delete needs no schema and is a last word: it does not wait, and takes what waits for its
 * schedule with it.
 */
final class AdmitRecord {
  /** How many parked records of a partition are taken in at a time. */
  private static final int MOST_AT_ONCE = 500;

  private final Settings settings;
  private final int partition;
  private final HeldRecords heldRecords;
  private final AdmitDefinition definitions;
  private final AdmitCommand commands;
  private final AdmitOutcome outcomes;
  private final DeadLetterSender deadLetters;
  private final RecordGuard guard;
  private final RecordDeaths deaths;
  private final Consumer<ScheduleId> admitted;
  private long verdicts = -1;

  /**
   * @param admitted receives the id of each schedule that a definition or delete at home was about
   */
  AdmitRecord(
      AdmissionContext context,
      AdmitDefinition definitions,
      AdmitCommand commands,
      AdmitOutcome outcomes,
      Consumer<ScheduleId> admitted) {
    this.settings = context.task().settings();
    this.partition = context.task().partition();
    this.heldRecords = context.heldRecords();
    this.definitions = definitions;
    this.commands = commands;
    this.outcomes = outcomes;
    this.deadLetters = context.deadLetters();
    this.guard = context.guard();
    this.deaths = context.task().application().deaths();
    this.admitted = admitted;
  }

  /** Takes a record in, or parks it. */
  void take(Inbound inbound, Instant now) {
    if (!heldRecords.isEmpty() && RecordKey.of(inbound).good().isPresent() && waits(inbound, now)) {
      return;
    }
    try {
      accept(inbound, now);
    } catch (SchemaUnavailableException e) {
      park(inbound, now);
    }
  }

  /** Takes parked records in that can be read by now. */
  void run(Instant now) {
    if (heldRecords.isEmpty()) {
      return;
    }
    setAside(now);
    int room = MOST_AT_ONCE;
    for (HeldRecords.Place place : heldRecords.ready()) {
      Optional<Inbound> first = Optional.empty();
      do {
        if (room-- == 0) {
          return;
        }
        first = heldRecords.first(place).filter(inbound -> isAccepted(inbound, now));
        first.ifPresent(inbound -> heldRecords.removeFirst(place));
      } while (first.isPresent());
    }
  }

  /** Throws out what is first of its place and set aside by now, though it cannot be read yet. */
  private void setAside(Instant now) {
    long latest = deaths.version();
    if (latest != verdicts) {
      verdicts = latest;
      for (HeldRecords.Place place : heldRecords.places()) {
        while (heldRecords
            .peek(place)
            .filter(parked -> guard.isSetAside(parked, now))
            .isPresent()) {
          heldRecords.removeFirst(place);
        }
      }
    }
  }

  /**
   * @return true when the record is parked
   */
  private boolean waits(Inbound inbound, Instant now) {
    HeldRecords.Place place = heldRecords.place(inbound);
    if (!heldRecords.contains(place)) {
      return false;
    }
    if (isDelete(inbound)) {
      heldRecords
          .takeAll(place)
          .forEach(parked -> deadLetters.refuse(parked, overtaken(inbound), now));
      return false;
    }
    park(inbound, now);
    return true;
  }

  /**
   * A delete that is no stray, nor the scheduler's own: those are compared with what is in force,
   * which must be read first.
   */
  private boolean isDelete(Inbound inbound) {
    return inbound.topic().equals(settings.topics().schedules())
        && inbound.partition() == partition
        && inbound.value().isEmpty()
        && inbound.headers().lastHeader(Headers.STRAY) == null
        && inbound.headers().lastHeader(Headers.ORIGIN) == null;
  }

  private static Problem overtaken(Inbound delete) {
    return problem(
        "the schedule was deleted at "
            + delete.revision()
            + " before the schema registry told how to read this; write it again if it is still"
            + " meant");
  }

  private void park(Inbound inbound, Instant now) {
    int limit = settings.limits().maxFireBytes() - InboundBytes.OVERHEAD;
    if (inbound.size() > limit) {
      deadLetters.refuse(
          inbound,
          problem(
              "the schema registry does not answer, and with "
                  + inbound.size()
                  + " bytes the record is too large to be kept until it does, which takes at most "
                  + limit
                  + "; write it again later"),
          now);
    } else if (!heldRecords.add(inbound)) {
      deadLetters.refuse(
          inbound,
          problem(
              "the schema registry does not answer, and "
                  + heldRecords.full(inbound).orElseThrow()
                  + " wait for it already, as many as are kept; write it again later"),
          now);
    }
  }

  /**
   * @return false when it is still not to be read
   */
  private boolean isAccepted(Inbound inbound, Instant now) {
    return guard.run(
        inbound,
        now,
        () -> {
          try {
            accept(inbound, now);
            return true;
          } catch (SchemaUnavailableException e) {
            return false;
          }
        });
  }

  private void accept(Inbound inbound, Instant now) {
    String topic = inbound.topic();
    boolean isAtHome = inbound.partition() == partition;
    if (topic.equals(settings.topics().commands())) {
      commands.accept(inbound, now);
    } else if (topic.equals(settings.topics().outcomes())) {
      if (isAtHome) {
        outcomes.accept(inbound, now);
      } else {
        outcomes.comeHome(inbound, now);
      }
    } else if (isAtHome) {
      definitions
          .accept(inbound, now)
          .ifPresent(
              id -> {
                admitted.accept(id);
                commands.defined(id, now);
              });
    } else {
      definitions.comeHome(inbound, now);
    }
  }

  private static Problem problem(String message) {
    return Problem.newBuilder().setField("").setMessage(message).build();
  }
}
