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
import java.util.function.BiConsumer;

/**
 * Takes in the records that are at home. One whose schema the registry has not told is parked, and
 * what comes after it under its key waits behind it; everything else goes on, the schedule that it
 * would change included. docs/adr/0009-parking.md says why.
 *
 * <p>A delete needs no schema and is a last word: it does not wait, and takes what waits for its
 * schedule with it.
 */
public final class AdmitRecord {
  /** How many parked records of a partition are taken in at a time. */
  private static final int MOST_AT_ONCE = 500;

  private final Settings settings;
  private final int partition;
  private final HeldRecords parking;
  private final AdmitDefinition accept;
  private final AdmitCommand commands;
  private final AdmitOutcome outcomes;
  private final DeadLetterSender deadLetters;
  private final RecordGuard guard;
  private final RecordDeaths deaths;
  private final BiConsumer<ScheduleId, Instant> met;
  private long verdicts = -1;

  /**
   * @param met hears of each schedule that a record at home was about
   */
  public AdmitRecord(
      Settings settings,
      int partition,
      HeldRecords parking,
      AdmitDefinition accept,
      AdmitCommand commands,
      AdmitOutcome outcomes,
      DeadLetterSender deadLetters,
      RecordGuard guard,
      RecordDeaths deaths,
      BiConsumer<ScheduleId, Instant> met) {
    this.settings = settings;
    this.partition = partition;
    this.parking = parking;
    this.accept = accept;
    this.commands = commands;
    this.outcomes = outcomes;
    this.deadLetters = deadLetters;
    this.guard = guard;
    this.deaths = deaths;
    this.met = met;
  }

  /** Takes a record in, or parks it. */
  public void take(Inbound inbound, Instant now) {
    if (!parking.isEmpty() && RecordKey.of(inbound).good().isPresent() && waits(inbound, now)) {
      return;
    }
    try {
      accept(inbound, now);
    } catch (SchemaUnavailableException e) {
      park(inbound, now);
    }
  }

  /** Takes parked records in that can be read by now. */
  public void run(Instant now) {
    if (parking.isEmpty()) {
      return;
    }
    setAside(now);
    int room = MOST_AT_ONCE;
    for (HeldRecords.Place place : parking.ready()) {
      Optional<Inbound> first = Optional.empty();
      do {
        if (room-- == 0) {
          return;
        }
        first = parking.first(place).filter(inbound -> isAccepted(inbound, now));
        first.ifPresent(inbound -> parking.removeFirst(place));
      } while (first.isPresent());
    }
  }

  /** Throws out what is first of its place and set aside by now, though it cannot be read yet. */
  private void setAside(Instant now) {
    long latest = deaths.version();
    if (latest != verdicts) {
      verdicts = latest;
      for (HeldRecords.Place place : parking.places()) {
        while (parking.peek(place).filter(parked -> guard.isSetAside(parked, now)).isPresent()) {
          parking.removeFirst(place);
        }
      }
    }
  }

  /**
   * @return true when the record is parked
   */
  private boolean waits(Inbound inbound, Instant now) {
    HeldRecords.Place place = parking.place(inbound);
    if (!parking.contains(place)) {
      return false;
    }
    if (isDelete(inbound)) {
      parking.takeAll(place).forEach(parked -> deadLetters.refuse(parked, overtaken(inbound), now));
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
    } else if (!parking.add(inbound)) {
      deadLetters.refuse(
          inbound,
          problem(
              "the schema registry does not answer, and "
                  + parking.full(inbound).orElseThrow()
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
      accept.accept(inbound, now).ifPresent(id -> met.accept(id, now));
    } else {
      accept.comeHome(inbound, now);
    }
  }

  private static Problem problem(String message) {
    return Problem.newBuilder().setField("").setMessage(message).build();
  }
}
