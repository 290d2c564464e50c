package io.waterclock.cli.apply;

import io.waterclock.cli.read.NextOccurrences;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.definition.Triggers;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The effect of definitions on the next occurrences.
 *
 * @param before with the calendars of the cluster
 * @param after with those of the files, too
 */
record Effects(NextOccurrences before, NextOccurrences after) {
  private static final int SHOWN = 3;

  /** The next occurrences, or those before and after if they differ. */
  List<String> of(KnownSchedule entry, Optional<Schedule> inForce, Schedule wanted) {
    if (entry.state().filter(State.PAUSED::equals).isPresent()) {
      return List.of("it is paused");
    }
    String then = text(after.of(planned(entry, inForce, wanted), SHOWN));
    if (inForce.isEmpty()) {
      return List.of("next: " + then);
    }
    String now = text(before.of(entry, SHOWN));
    return now.equals(then) ? List.of() : List.of("next: " + now + " -> " + then);
  }

  /** The schedule as it will be. A trigger that stays the same counts on. */
  private KnownSchedule planned(KnownSchedule entry, Optional<Schedule> inForce, Schedule wanted) {
    boolean isSameTrigger =
        inForce
            .filter(one -> one.getTrigger().equals(wanted.getTrigger()))
            .filter(one -> wanted.getTimezone().equals(one.getTimezone()))
            .isPresent();
    Instant now = after.now();
    Optional<Instant> resolved =
        isSameTrigger
            ? entry.currentRevision().map(Revision::getResolvedAt)
            : Triggers.resolve(wanted, now);
    Revision revision =
        Revision.newBuilder()
            .setScheduleId(entry.id())
            .setRevision("planned")
            .setSchedule(wanted)
            .setOwnsAfter(now)
            .setEffectiveAt(now)
            .setAcceptedAt(now)
            .setResolvedAt(resolved.or(() -> Triggers.resolve(wanted, now)).orElse(null))
            .setBoundedBy(wanted.getEndAt())
            .setTzdb("")
            .build();
    ScheduleStatus status =
        ScheduleStatus.newBuilder()
            .setScheduleId(entry.id())
            .setState(wanted.getEnabled() ? State.ACTIVE : State.PAUSED)
            .setRevision("planned")
            .setSince(now)
            .build();
    return KnownSchedule.of(entry.id())
        .with(Optional.of(new WrittenDefinition("planned", Optional.of(wanted))))
        .withRevision(revision)
        .withStatus(Optional.of(status));
  }

  private static String text(Optional<List<Instant>> occurrences) {
    return occurrences
        .map(
            all ->
                all.isEmpty()
                    ? "none"
                    : all.stream().map(Instant::toString).collect(Collectors.joining(", ")))
        .orElse("unknown");
  }
}
