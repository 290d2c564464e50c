package io.waterclock.cli.transfer;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The state of a scheduler as far as its topics tell it, for when the state itself is gone.
 *
 * <p>Definitions are those in force; what was resolved at their acceptance is in revisions; pauses,
 * skips and backfills are in status. A schedule is decided as far as the watermark of its partition
 * says, and as far as its own last fire or missed range says if that is further. Neither a replay's
 * bounds nor what a replaced definition had left undecided can be known.
 */
final class TopicsSource implements ExportSource {
  private final Cluster cluster;
  private final SchedulerGroup group;
  private final Topics topics;
  private final ZoneId defaultZone;
  private final Optional<Instant> decidedThrough;
  private final ReadProgress progress;
  private final List<String> guessed = new ArrayList<>();

  /**
   * @param defaultZone of schedules that name none
   * @param decidedThrough what to go by where there are no watermarks
   */
  TopicsSource(
      Cluster cluster,
      SchedulerGroup group,
      ZoneId defaultZone,
      Optional<Instant> decidedThrough,
      ReadProgress progress) {
    this.cluster = cluster;
    this.group = group;
    this.topics = cluster.topics();
    this.defaultZone = defaultZone;
    this.decidedThrough = decidedThrough;
    this.progress = progress;
  }

  /** Schedules of which it is not known from when they count: they count from their last change. */
  List<String> guessed() {
    return guessed;
  }

  @Override
  public void forEach(Consumer<ExportedSchedule> each) {
    List<TopicPartition> partitions = cluster.partitions(topics.schedules());
    Map<Integer, Instant> watermarks = watermarks();
    Instant least =
        watermarks.values().stream()
            .min(Comparator.naturalOrder())
            .or(() -> decidedThrough)
            .orElseThrow(
                () ->
                    new Failure(
                        "Nothing tells how far the schedules are decided, as there are no"
                            + " watermarks: say it with --decided-through, for example"
                            + " --decided-through 2026-11-21T10:00:00Z."));
    boolean belong = watermarks.size() == partitions.size();
    Map<String, Instant> outcomes = outcomes(least);
    for (KnownSchedule entry : cluster.catalogue(progress).all()) {
      int partition = Partitions.home(entry.id(), partitions).partition();
      Instant base = belong ? watermarks.getOrDefault(partition, least) : least;
      Instant own = outcomes.getOrDefault(entry.id(), base);
      exported(entry, own.isAfter(base) ? own : base).ifPresent(each);
    }
  }

  private Optional<ExportedSchedule> exported(KnownSchedule entry, Instant decided) {
    Optional<Schedule> definition =
        entry.currentRevision().map(Revision::getSchedule).or(entry::schedule);
    Optional<ScheduleStatus> status = entry.status().filter(known -> known.getRevision() != null);
    if (entry.definition().isEmpty() || definition.isEmpty() || status.isEmpty()) {
      return Optional.empty(); // deleted, or never accepted
    }
    Schedule schedule = definition.get();
    if (schedule.getTimezone() == null) {
      schedule.setTimezone(defaultZone.getId());
    }
    return Optional.of(
        new ExportedSchedule(
            ScheduleId.parse(entry.id()), schedule, state(entry, schedule, status.get(), decided)));
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
            pause != null ? pause.getSince() : isDisabled ? ownsAfter : later(decided, ownsAfter))
        .setCompletedAt(status.getState() == State.COMPLETED ? status.getSince() : null)
        .setPause(pause)
        .setResumed(!schedule.getEnabled() && status.getState() == State.ACTIVE)
        .setSkips(status.getSkips())
        .setBackfills(status.getBackfills())
        .build();
  }

  /** What is not written down anywhere any more. */
  private Optional<Instant> resolve(String id, Schedule schedule, Instant effective) {
    try {
      ZoneId zone = Zones.parse(schedule.getTimezone());
      boolean known =
          schedule.getMaxOccurrences() == null
              && Triggers.known(schedule, zone, Optional.empty()).isPresent();
      if (!known) {
        guessed.add(id);
      }
    } catch (InvalidTriggerException e) {
      guessed.add(id);
    }
    return Triggers.resolve(schedule, effective);
  }

  private static Instant later(Instant a, Instant b) {
    return a.isBefore(b) ? b : a;
  }

  private Map<Integer, Instant> watermarks() {
    Map<Integer, Instant> watermarks = new HashMap<>();
    cluster
        .reader()
        .toEnd(
            cluster.partitions(topics.watermarks()),
            record -> {
              read(
                  RecordCodecs.watermark(),
                  record,
                  (Watermark it) -> watermarks.put(it.getPartition(), it.getDecidedThrough()));
              return true;
            });
    return watermarks;
  }

  /**
   * The last occurrence of each schedule that was fired or missed. What was decided after a
   * watermark was written after its instant.
   */
  private Map<String, Instant> outcomes(Instant since) {
    Map<String, Instant> last = new HashMap<>();
    List<TopicPartition> partitions = new ArrayList<>(cluster.partitions(topics.fires()));
    partitions.addAll(cluster.partitions(topics.missed()));
    cluster
        .reader(progress)
        .from(
            group.offsetsAt(partitions, since.toEpochMilli()),
            record -> {
              if (record.topic().equals(topics.fires())) {
                read(
                    RecordCodecs.fire(),
                    record,
                    fire -> {
                      if (fire.getCause() == Cause.SCHEDULED || fire.getCause() == Cause.CATCH_UP) {
                        last.merge(fire.getScheduleId(), fire.getOccurrence(), TopicsSource::later);
                      }
                    });
              } else {
                read(
                    RecordCodecs.missed(),
                    record,
                    missed ->
                        last.merge(missed.getScheduleId(), missed.getLast(), TopicsSource::later));
              }
              return true;
            });
    return last;
  }

  private <T extends SpecificRecordBase> void read(
      RecordCodec<T> codec, ConsumerRecord<byte[], byte[]> record, Consumer<T> to) {
    if (record.value() == null) {
      return;
    }
    try {
      to.accept(codec.decode(record.value(), cluster.schemas()));
    } catch (UndecodableException e) {
      // the scheduler writes none; what others write there says nothing
      return;
    }
  }
}
