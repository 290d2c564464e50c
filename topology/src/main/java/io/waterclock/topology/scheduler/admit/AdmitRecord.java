package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.input.RecordKey;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Admits the records that are at home. A record whose schema the registry does not give yet is
 * held, and later records of its key wait behind it. Everything else goes on, the schedule that the
 * record would change included. docs/adr/0009-parking.md says why.
 *
 * <p>A delete needs no schema and is the last write: it does not wait, and it refuses the held
 * records of its schedule.
 */
final class AdmitRecord {
  /** How many held records of a partition are admitted at a time. */
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
  private long deathsVersion = -1;

  /**
   * @param admitted receives the schedule id of each definition or delete at home
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

  /** Admits a record, or holds it. */
  void take(Inbound inbound, Instant now) {
    if (!heldRecords.isEmpty() && RecordKey.of(inbound).good().isPresent() && waits(inbound, now)) {
      return;
    }
    try {
      accept(inbound, now);
    } catch (SchemaUnavailableException e) {
      hold(inbound, now);
    }
  }

  /** Admits held records whose schema is available now. */
  void retry(Instant now) {
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

  /** Sets aside first records of places whose deaths now forbid their admission, even unread. */
  private void setAside(Instant now) {
    long version = deaths.version();
    if (version != deathsVersion) {
      deathsVersion = version;
      for (HeldRecords.Place place : heldRecords.places()) {
        while (heldRecords.peek(place).filter(held -> guard.isSetAside(held, now)).isPresent()) {
          heldRecords.removeFirst(place);
        }
      }
    }
  }

  /**
   * @return true when the record is held
   */
  private boolean waits(Inbound inbound, Instant now) {
    HeldRecords.Place place = heldRecords.place(inbound);
    if (!heldRecords.contains(place)) {
      return false;
    }
    if (isDelete(inbound)) {
      heldRecords.takeAll(place).forEach(held -> deadLetters.refuse(held, overtaken(inbound), now));
      return false;
    }
    hold(inbound, now);
    return true;
  }

  /**
   * A user's delete at home. A stray, or a tombstone of the scheduler itself, is compared with the
   * definition in force, which must be read first.
   */
  private boolean isDelete(Inbound inbound) {
    return inbound.topic().equals(settings.topics().schedules())
        && inbound.partition() == partition
        && inbound.value().isEmpty()
        && inbound.headers().lastHeader(Headers.STRAY) == null
        && inbound.headers().lastHeader(Headers.ORIGIN) == null;
  }

  private static Problem overtaken(Inbound delete) {
    return Problems.of(
        "",
        "the schedule was deleted at "
            + delete.revision()
            + " before the schema registry gave the schema of this record; write the record again"
            + " if you still need it");
  }

  private void hold(Inbound inbound, Instant now) {
    int limit = settings.limits().maxFireBytes() - InboundBytes.OVERHEAD;
    if (inbound.size() > limit) {
      deadLetters.refuse(
          inbound,
          Problems.of(
              "",
              "the schema registry does not answer, and with "
                  + inbound.size()
                  + " bytes the record is too large to be held until it does, which takes at most "
                  + limit
                  + "; write it again later"),
          now);
    } else if (!heldRecords.add(inbound)) {
      deadLetters.refuse(
          inbound,
          Problems.of(
              "",
              "the schema registry does not answer, and "
                  + heldRecords.full(inbound).orElseThrow()
                  + " wait for it already, which is the limit; write it again later"),
          now);
    }
  }

  /**
   * @return false when its schema is still not available
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
        outcomes.acceptStray(inbound, now);
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
      definitions.acceptStray(inbound, now);
    }
  }
}
