package io.waterclock.cli.transfer;

import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Derives the state of a scheduler from its topics, if the state itself is lost.
 *
 * <p>Definitions are {@link DefinitionsInForce}. The topic revisions contains the instants that
 * were resolved at their acceptance; the topic status contains pauses, skips and backfills. A
 * schedule counts as decided up to the watermark of its partition, or up to its own last fire or
 * missed range if that is later. The bounds of a replay and the undecided occurrences of a replaced
 * definition are unknown.
 */
final class TopicsSource implements ExportSource {
  private final Cluster cluster;
  private final Topics topics;
  private final DefinitionsInForce definitions;
  private final ZoneId defaultZone;
  private final Optional<Instant> decidedThrough;
  private final ReadProgress progress;
  private final List<String> guessed = new ArrayList<>();

  /**
   * Reads the definitions.
   *
   * @param decidedThrough the position of all schedules if there are no watermarks
   */
  TopicsSource(
      Cluster cluster,
      ZoneId defaultZone,
      Optional<Instant> decidedThrough,
      ReadProgress progress) {
    this.cluster = cluster;
    this.topics = cluster.topics();
    this.definitions =
        DefinitionsInForce.of(
            cluster.catalogue(progress).all(),
            rejected(cluster),
            new CalendarTopic(cluster).all().keySet());
    this.defaultZone = defaultZone;
    this.decidedThrough = decidedThrough;
    this.progress = progress;
  }

  DefinitionsInForce definitions() {
    return definitions;
  }

  /** Schedules that count from their last change, because their first instant is unknown. */
  List<String> guessed() {
    return guessed;
  }

  @Override
  public void forEach(Consumer<ExportedSchedule> each) {
    List<TopicPartition> partitions = cluster.partitions(topics.schedules());
    Map<Integer, Instant> watermarks = new HashMap<>();
    cluster
        .watermarks(partitions.size())
        .forEach(
            (number, newest) -> watermarks.put(number, newest.watermark().getDecidedThrough()));
    Instant least =
        watermarks.values().stream()
            .min(Comparator.naturalOrder())
            .or(() -> decidedThrough)
            .orElseThrow(
                () ->
                    new Failure(
                        "The position of the schedules is unknown, because there are no watermarks:"
                            + " give it with --decided-through, for example --decided-through"
                            + " 2026-11-21T10:00:00Z."));
    boolean isComplete = watermarks.size() == partitions.size();
    Map<String, Instant> outcomes = outcomes(least);
    for (KnownSchedule entry : definitions.known()) {
      int partition = Partitions.home(entry.id(), partitions).partition();
      Instant base = isComplete ? watermarks.getOrDefault(partition, least) : least;
      Instant own = outcomes.getOrDefault(entry.id(), base);
      each.accept(exported(entry, Instants.later(own, base)));
    }
  }

  private ExportedSchedule exported(KnownSchedule entry, Instant decided) {
    Schedule schedule = entry.schedule().orElseThrow();
    if (schedule.getTimezone() == null) {
      schedule.setTimezone(defaultZone.getId());
    }
    return new ExportedSchedule(
        ScheduleId.parse(entry.id()),
        schedule,
        state(entry, schedule, entry.status().orElseThrow(), decided));
  }

  private ExportedState state(
      KnownSchedule entry, Schedule schedule, ScheduleStatus status, Instant decided) {
    Optional<Revision> revision = entry.currentRevision();
    Instant effective = revision.map(Revision::getEffectiveAt).orElse(status.getSince());
    Instant ownsAfter = revision.map(Revision::getOwnsAfter).orElse(effective);
    Optional<Instant> resolved =
        revision.isPresent()
            ? Optional.ofNullable(revision.get().getResolvedAt())
            : resolve(entry.id(), schedule, effective);
    Optional<Instant> bound =
        revision.isPresent()
            ? Optional.ofNullable(revision.get().getBoundedBy())
            : Optional.ofNullable(schedule.getEndAt());
    boolean isPast =
        schedule.getTrigger() instanceof OnceTrigger
            && resolved.filter(at -> !at.isAfter(effective)).isPresent();
    CommandedPause pause = status.getPause();
    boolean isDisabled = pause == null && status.getState() == State.PAUSED;
    return ExportedState.newBuilder()
        .setRevision(status.getRevision())
        .setWrittenAt(effective)
        .setEffectiveAt(effective)
        .setOwnsAfter(ownsAfter)
        .setResolvedAt(resolved.orElse(null))
        .setBoundedBy(bound.orElse(null))
        .setDueFloor(isPast ? effective : null)
        .setDecidedThrough(
            pause != null
                ? pause.getSince()
                : isDisabled ? ownsAfter : Instants.later(decided, ownsAfter))
        .setCompletedAt(status.getState() == State.COMPLETED ? status.getSince() : null)
        .setPause(pause)
        .setResumed(!schedule.getEnabled() && status.getState() == State.ACTIVE)
        .setSkips(status.getSkips())
        .setBackfills(status.getBackfills())
        .build();
  }

  /** The instant from which the trigger counts, if no topic holds it any more. */
  private Optional<Instant> resolve(String id, Schedule schedule, Instant effective) {
    ZoneId zone = ZoneOffset.UTC;
    try {
      zone = Zones.parse(schedule.getTimezone());
      boolean known =
          schedule.getMaxOccurrences() == null
              && Triggers.known(id, schedule, zone, Optional.empty()).isPresent();
      if (!known) {
        guessed.add(id);
      }
    } catch (InvalidTriggerException e) {
      guessed.add(id);
    }
    return Triggers.resolve(schedule, zone, effective);
  }

  /**
   * The positions of rejected records. A status names the newest one only until the next status
   * follows it, so earlier ones count while the topic contains them.
   */
  private static Set<String> rejected(Cluster cluster) {
    Set<String> rejected = new HashSet<>();
    cluster.each(
        RecordCodecs.status(),
        cluster.topics().status(),
        status -> Optional.ofNullable(status.getRejectedRevision()).ifPresent(rejected::add));
    return rejected;
  }

  /**
   * The last fired or missed occurrence of each schedule. The scheduler writes later decisions
   * after the instant of a watermark.
   */
  private Map<String, Instant> outcomes(Instant since) {
    Map<String, Instant> last = new HashMap<>();
    List<TopicPartition> partitions = new ArrayList<>(cluster.partitions(topics.fires()));
    partitions.addAll(cluster.partitions(topics.missed()));
    cluster
        .reader(progress)
        .from(
            cluster.reader().offsetsAt(partitions, since),
            record -> {
              if (record.topic().equals(topics.fires())) {
                cluster
                    .decode(RecordCodecs.fire(), record)
                    .filter(
                        fire ->
                            fire.getCause() == Cause.SCHEDULED || fire.getCause() == Cause.CATCH_UP)
                    .ifPresent(
                        fire ->
                            last.merge(
                                fire.getScheduleId(), fire.getOccurrence(), Instants::later));
              } else {
                cluster
                    .decode(RecordCodecs.missed(), record)
                    .ifPresent(
                        missed ->
                            last.merge(missed.getScheduleId(), missed.getLast(), Instants::later));
              }
              return true;
            });
    return last;
  }
}
