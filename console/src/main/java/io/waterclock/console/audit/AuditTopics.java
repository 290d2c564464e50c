package io.waterclock.console.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.audit.Audit;
import io.waterclock.audit.Window;
import io.waterclock.audit.Written;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.model.KeptPayload;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.core.Words;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.Watermark;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * The records of an audit, and the window in which they are complete.
 *
 * <p>Watermarks are read first. Everything that they declare decided was committed no later than
 * they were, so it lies before the ends up to which the other topics are read afterwards.
 */
public final class AuditTopics {
  /** The most by which the brokers' clocks, by which retention goes, may be ahead of this one. */
  private static final Duration SLACK = Duration.ofHours(1);

  /** After a start, nothing that waits starts or expires for up to ten minutes. */
  private static final Duration TO_EXPIRE = Duration.ofMinutes(15);

  /** Of a fire in memory, with the room to grow of the list that it is in. */
  private static final int FIRE_BYTES = 32;

  /** Of another record, beside what its bytes become. */
  private static final int RECORD_BYTES = 1_000;

  /** In memory, a record takes about so many times its bytes. */
  private static final int IN_MEMORY = 4;

  private final SchemaSource schemas;
  private final Topics topics;
  private final TopicReader reader;
  private final InstantSource clock;
  private final Audit audit = new Audit();
  private final Optional<String> only;
  private final Map<Integer, Watermark> watermarks = new HashMap<>();
  private final Map<TopicPartition, Instant> completeAfter = new HashMap<>();
  private final Map<String, Instant> allCompleteAfter = new HashMap<>();
  private final List<Unreadable> unreadable = new ArrayList<>();
  private Instant commandsAfter = Instant.MIN;

  /**
   * Fires that wait for a limit, by key; then those of them that have neither started nor missed.
   */
  private final Map<String, Waiting> waiting = new HashMap<>();

  /** Those of them that may never start, by schedule. */
  private final Map<String, List<Fire>> doubtful = new HashMap<>();

  /** The latest record in a partition that its limit does not have any more. */
  private Instant waitingWidened = Instant.MIN;

  private final Map<String, List<TopicPartition>> partitions = new HashMap<>();
  private long bytesLeft;

  /**
   * @param expires exclusive: it does not start from then on
   */
  private record Waiting(Fire fire, Instant writtenAt, Optional<Instant> expires) {}

  private AuditTopics(Source source, Optional<String> only, InstantSource clock) {
    this.only = only;
    this.schemas = source.schemas();
    this.topics = source.topics();
    this.reader = source.reader();
    this.bytesLeft = source.mostBytes();
    this.clock = clock;
    for (String topic :
        List.of(
            topics.schedules(),
            topics.commands(),
            topics.revisions(),
            topics.fires(),
            topics.missed(),
            topics.status())) {
      partitions.put(topic, reader.partitions(topic));
    }
  }

  /**
   * Where the records are.
   *
   * @param reader of committed records
   * @param schemas the schemas of records in the Confluent wire format
   * @param zone the zone of schedules without one
   * @param mostBytes of memory for what is read, about
   */
  public record Source(
      TopicReader reader, Topics topics, SchemaSource schemas, ZoneId zone, long mostBytes) {}

  /** An audit needs more memory than it may take. */
  public static final class TooLargeException extends RuntimeException {
    TooLargeException() {
      super("the records of this audit take more memory than it may have");
    }
  }

  /**
   * Reads the topics; all records of the audit are in memory afterwards, without their payloads.
   *
   * @param id the only schedule to audit; then only its partitions are read
   * @param clock of this machine: nothing that is read may be due later than then
   * @throws TooLargeException if the records need more memory than the source says
   */
  public static AuditTopics read(Source source, Optional<String> id, InstantSource clock) {
    AuditTopics all = new AuditTopics(source, id, clock);
    all.readWatermarks();
    all.readWaiting(); // before fires and missed: what leaves it meanwhile is there
    all.readOutcomes();
    all.waiting.values().forEach(all::add);
    all.readResumes();
    all.readDefinitions(source.zone());
    return all;
  }

  private boolean isWanted(String id) {
    return only.isEmpty() || only.get().equals(id);
  }

  /** All partitions of a topic, or that of the only schedule. */
  private List<TopicPartition> wanted(String topic) {
    return only.map(id -> List.of(home(topic, id)))
        .orElseGet(() -> partitions.getOrDefault(topic, List.of()));
  }

  /**
   * The records of the topic status. Those of an id are in two partitions if the topic has got more
   * of them: their timestamps put them in order. Each partition keeps its own order, as the clock
   * of the next owner may be behind.
   */
  private static final class Statuses {
    private final Map<Integer, Long> latest = new HashMap<>();
    private final List<Stated> all = new ArrayList<>();

    /**
     * @param latestMs the latest timestamp in the partition so far
     * @param add hands the status to the audit
     */
    private record Stated(long latestMs, Runnable add) {}

    void keep(ConsumerRecord<byte[], byte[]> record, Runnable add) {
      long latestMs = latest.merge(record.partition(), record.timestamp(), Math::max);
      all.add(new Stated(latestMs, add));
    }

    void addInOrder() {
      all.sort(Comparator.comparingLong(Stated::latestMs));
      all.forEach(one -> one.add().run());
    }
  }

  public Audit audit() {
    return audit;
  }

  /**
   * A record that cannot be decoded.
   *
   * @param key begins with the id of its schedule, but for a watermark
   */
  public record Unreadable(String key, String position) {}

  public List<Unreadable> unreadable() {
    return unreadable;
  }

  /** The window in which the topics are complete for a schedule; empty without a watermark. */
  public Optional<Window> window(String id) {
    Optional<Watermark> watermark =
        Optional.ofNullable(watermarks.get(home(topics.schedules(), id).partition()));
    return watermark.map(
        found ->
            new Window(
                List.of(topics.fires(), topics.missed()).stream()
                    .map(topic -> outcomesAfter(topic, id))
                    .reduce(Instant.MIN, (a, b) -> a.isAfter(b) ? a : b),
                found.getDecidedThrough()));
  }

  /** Fires that may never start and are not missed either; empty if there are none. */
  Optional<Audit.Unproven> neverStarted(String id, Window window) {
    List<Fire> found =
        doubtful.getOrDefault(id, List.of()).stream()
            .filter(fire -> fire.getOccurrence().isAfter(window.after()))
            .filter(fire -> !fire.getOccurrence().isAfter(window.through()))
            .sorted(Comparator.comparing(Fire::getOccurrence))
            .toList();
    return found.stream()
        .findFirst()
        .map(
            first ->
                new Audit.Unproven(
                    id,
                    first.getRevision(),
                    ("%s waiting for a limit, the first of %s, may never start: expired, or"
                            + " given up when partitions were added")
                        .formatted(Words.number(found.size(), "fire"), first.getOccurrence())));
  }

  /** The version of the time-zone data of the instance that owns the schedule. */
  public Set<String> tzdbs(String id) {
    return Optional.ofNullable(watermarks.get(home(topics.schedules(), id).partition()))
        .map(Watermark::getTzdb)
        .map(Set::of)
        .orElse(Set.of());
  }

  /**
   * A home that has lost nothing may be younger than the schedule, whose older outcomes are in any
   * other partition: the topic has got more of them since. So none of these may have lost more.
   */
  private Instant outcomesAfter(String topic, String id) {
    return Optional.ofNullable(completeAfter.get(home(topic, id)))
        .orElseGet(() -> allCompleteAfter.computeIfAbsent(topic, this::allCompleteAfter));
  }

  private Instant allCompleteAfter(String topic) {
    return completeAfter.entrySet().stream()
        .filter(one -> one.getKey().topic().equals(topic))
        .map(Map.Entry::getValue)
        .max(Comparator.naturalOrder())
        .orElse(Instant.MIN);
  }

  private Instant completeAfter(String topic, String id) {
    return completeAfter.getOrDefault(home(topic, id), Instant.MIN);
  }

  private TopicPartition home(String topic, String id) {
    return Partitions.home(id, topic, topics, known -> partitions.getOrDefault(known, List.of()));
  }

  private void readWatermarks() {
    reader.each(
        reader.partitions(topics.watermarks()),
        record ->
            decode(
                RecordCodecs.watermark(),
                record,
                watermark ->
                    watermarks.merge(watermark.getPartition(), watermark, AuditTopics::newer)));
  }

  /** An older one stays in its partition if the topic has got more of them since. */
  private static Watermark newer(Watermark one, Watermark other) {
    return one.getDecidedThrough().isAfter(other.getDecidedThrough()) ? one : other;
  }

  /** The topic is partitioned by limit, so all of it is read; without limits there is none. */
  private void readWaiting() {
    List<TopicPartition> all = reader.partitionsIfAny(topics.waiting());
    if (all.isEmpty()) {
      return;
    }
    reader.each(
        all,
        record -> {
          comparePartition(record);
          Header note = record.headers().lastHeader(HeaderNames.WAITING);
          if (note != null && record.value() != null) {
            decode(
                RecordCodecs.fire(),
                record,
                fire -> {
                  if (isWanted(fire.getScheduleId())) {
                    keep(record.key().length + record.value().length);
                    waiting.put(Partitions.key(record), waiting(fire, record));
                  }
                });
          }
        });
  }

  private static Waiting waiting(Fire fire, ConsumerRecord<byte[], byte[]> record) {
    Optional<WaitingNote.Fire> note =
        note(() -> WaitingNote.of(record.headers()))
            .filter(WaitingNote.Fire.class::isInstance)
            .map(WaitingNote.Fire.class::cast);
    return new Waiting(
        fire,
        Instant.ofEpochMilli(record.timestamp()),
        note.flatMap(known -> known.terms().expires()));
  }

  /** Learns from a record for a limit whether partitions have been added since. */
  private void comparePartition(ConsumerRecord<byte[], byte[]> record) {
    int homes = partitions.getOrDefault(topics.schedules(), List.of()).size();
    Instant at = Instant.ofEpochMilli(record.timestamp());
    boolean isElsewhere =
        note(() -> WaitingNote.group(record.headers()))
            .flatMap(limit -> limit)
            .filter(limit -> HomePartition.of(limit.utf8(), homes) != record.partition())
            .isPresent();
    if (isElsewhere && at.isAfter(waitingWidened)) {
      waitingWidened = at;
    }
  }

  /** Empty for headers that the limiter has refused. */
  private static <T> Optional<T> note(Supplier<T> read) {
    try {
      return Optional.of(read.get());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private void readOutcomes() {
    List<TopicPartition> wanted =
        Stream.of(topics.revisions(), topics.fires(), topics.missed(), topics.status())
            .flatMap(topic -> wanted(topic).stream())
            .toList();
    Map<TopicPartition, Long> beginnings = reader.beginnings(wanted);
    Statuses statuses = new Statuses();
    reader.each(
        wanted,
        record -> {
          TopicPartition partition = new TopicPartition(record.topic(), record.partition());
          if (beginnings.getOrDefault(partition, 0L) > 0) {
            completeAfter.putIfAbsent(partition, Instant.ofEpochMilli(record.timestamp()));
          }
          take(record, statuses);
        });
    statuses.addInOrder();
    boundEmptied(topics.fires(), Topics.FIRES_KEPT, beginnings);
    boundEmptied(topics.missed(), Topics.MISSED_KEPT, beginnings);
  }

  /**
   * Bounds what retention has removed from partitions that it has emptied. Only {@code
   * retention.ms} empties a partition, since a limit in bytes leaves the newest segment.
   *
   * @param kept the topic still holds everything that was written for so long before the read
   */
  private void boundEmptied(String topic, Duration kept, Map<TopicPartition, Long> beginnings) {
    Instant after = clock.instant().minus(kept).plus(SLACK);
    beginnings.forEach(
        (partition, beginning) -> {
          if (partition.topic().equals(topic) && beginning > 0) {
            completeAfter.putIfAbsent(partition, after);
          }
        });
  }

  /** Reads all partitions: other clients may send a command to a wrong partition. */
  private void readResumes() {
    List<TopicPartition> all = partitions.getOrDefault(topics.commands(), List.of());
    Map<TopicPartition, Long> beginnings = reader.beginnings(all);
    Set<TopicPartition> seen = new HashSet<>();
    reader.each(
        all,
        record -> {
          TopicPartition partition = new TopicPartition(record.topic(), record.partition());
          Instant at = Instant.ofEpochMilli(record.timestamp());
          if (seen.add(partition)
              && beginnings.getOrDefault(partition, 0L) > 0
              && at.isAfter(commandsAfter)) {
            commandsAfter = at;
          }
          Optional<String> schedule = wantedId(record);
          if (schedule.isPresent()) {
            decoded(RecordCodecs.command(), record)
                .filter(command -> command.getAction() instanceof ResumeCommand)
                .ifPresent(
                    resume -> {
                      keep(0);
                      audit.resumed(schedule.get(), at);
                    });
          }
        });
    boolean isGone =
        beginnings.entrySet().stream()
            .anyMatch(begun -> begun.getValue() > 0 && !seen.contains(begun.getKey()));
    audit.commandsKnown(isGone ? Instant.MAX : commandsAfter);
  }

  /**
   * Reads the topic schedules: the topic revisions may no longer retain the definition in force,
   * and never contains definitions without effect.
   */
  private void readDefinitions(ZoneId zone) {
    Map<String, ScheduleStatus> unknown = new HashMap<>();
    audit.unknownInForce().forEach(status -> unknown.put(status.getRevision(), status));
    reader.each(
        wanted(topics.schedules()),
        record -> {
          Optional.ofNullable(unknown.get(Partitions.position(record)))
              .ifPresent(
                  status ->
                      decode(
                          RecordCodecs.schedule(),
                          record,
                          schedule ->
                              inForce(status, schedule, zone).ifPresent(audit::addInForce)));
          wantedId(record)
              .filter(one -> isWrittenAtHome(one, record))
              .ifPresent(one -> written(one, record));
        });
  }

  /** False for strays and the traces that they leave. */
  private boolean isWrittenAtHome(String id, ConsumerRecord<byte[], byte[]> record) {
    return home(topics.schedules(), id).partition() == record.partition()
        && record.headers().lastHeader(HeaderNames.MOVED) == null;
  }

  /** Ignores a record that cannot be read here: the scheduler may have rejected it. */
  private void written(String id, ConsumerRecord<byte[], byte[]> record) {
    if (record.headers().lastHeader(HeaderNames.ORIGIN) != null) {
      audit.restated(id);
      return;
    }
    Optional<Schedule> schedule =
        decoded(RecordCodecs.schedule(), record).map(KeptPayload::instead);
    if (schedule.isEmpty() && record.value() != null) {
      return;
    }
    keep(schedule.map(AuditTopics::size).orElse(0));
    long readTo =
        Optional.ofNullable(watermarks.get(record.partition()))
            .map(watermark -> watermark.getOffsets().get(topics.schedules()))
            .orElse(0L);
    audit.add(
        new Written(
            id,
            Partitions.position(record),
            Instant.ofEpochMilli(record.timestamp()),
            schedule,
            record.offset() < readTo,
            record.headers().lastHeader(HeaderNames.IMPORT) != null));
  }

  private Optional<String> wantedId(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(ScheduleId.parse(record.key()).value()).filter(this::isWanted);
    } catch (InvalidIdException e) {
      return Optional.empty(); // the scheduler has rejected it
    }
  }

  /**
   * The revision that follows from the definition alone. Empty if the definition counts from its
   * acceptance, ends after a number of occurrences, or is invalid.
   */
  private Optional<Revision> inForce(ScheduleStatus status, Schedule schedule, ZoneId zone) {
    KeptPayload.instead(schedule)
        .setTimezone(Optional.ofNullable(schedule.getTimezone()).orElse(zone.getId()));
    if (!isKnown(status.getScheduleId(), schedule)) {
      return Optional.empty();
    }
    Instant oldest = completeAfter(topics.revisions(), status.getScheduleId());
    boolean goesFurtherBack = oldest.isAfter(Instant.MIN) && oldest.isBefore(status.getSince());
    Instant since = goesFurtherBack ? oldest : status.getSince();
    return Optional.of(
        Revision.newBuilder()
            .setScheduleId(status.getScheduleId())
            .setRevision(status.getRevision())
            .setSchedule(schedule)
            .setOwnsAfter(since)
            .setEffectiveAt(since)
            .setAcceptedAt(since)
            .setResolvedAt(
                Triggers.resolve(schedule, Zones.parse(schedule.getTimezone()), since).orElse(null))
            .setBoundedBy(schedule.getEndAt())
            .setTzdb("")
            .build());
  }

  private static boolean isKnown(String id, Schedule schedule) {
    try {
      return schedule.getMaxOccurrences() == null
          && Triggers.known(id, schedule, Zones.parse(schedule.getTimezone()), Optional.empty())
              .isPresent();
    } catch (InvalidTriggerException e) {
      return false; // a status names it that the scheduler has not written
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record, Statuses statuses) {
    int length = record.value() == null ? 0 : record.value().length;
    if (record.topic().equals(topics.revisions())) {
      decode(RecordCodecs.revision(), record, this::add);
    } else if (record.topic().equals(topics.fires())) {
      waiting.remove(Partitions.key(record));
      decode(RecordCodecs.fire(), record, this::add);
    } else if (record.topic().equals(topics.missed())) {
      decode(
          RecordCodecs.missed(),
          record,
          missed -> add(missed.getScheduleId(), length, () -> add(missed)));
    } else if (record.value() == null) {
      String id = Partitions.key(record);
      add(id, id.length(), () -> statuses.keep(record, () -> audit.statusDeleted(id)));
    } else {
      decode(
          RecordCodecs.status(),
          record,
          status ->
              add(
                  status.getScheduleId(),
                  length,
                  () -> statuses.keep(record, () -> audit.add(status))));
    }
  }

  private void add(String id, int length, Runnable add) {
    if (isWanted(id)) {
      keep(length);
      add.run();
    }
  }

  private void add(Missed missed) {
    if (missed.getCount() == 1) {
      ScheduleId id = ScheduleId.ofUtf8(missed.getScheduleId().getBytes(UTF_8));
      waiting.remove(FireKey.of(id, missed.getFirst()).text());
    }
    audit.add(missed);
  }

  private void add(Fire fire) {
    if (isWanted(fire.getScheduleId())) {
      take(FIRE_BYTES);
      audit.add(fire, clock.instant());
    }
  }

  /**
   * Takes over a fire that still waits. The limiter lets it expire as soon as it runs. What waited
   * when partitions were added has been given up: a reset requires that nothing waits, or an option
   * that gives it up.
   */
  private void add(Waiting one) {
    Fire fire = one.fire();
    Instant now = clock.instant();
    take(FIRE_BYTES);
    audit.addWaiting(fire, now);
    boolean isExpired = one.expires().filter(at -> at.plus(TO_EXPIRE).isBefore(now)).isPresent();
    boolean isCounted = fire.getCause() != Cause.TRIGGERED && fire.getCause() != Cause.BACKFILL;
    if (isCounted && (isExpired || !one.writtenAt().isAfter(waitingWidened))) {
      doubtful.computeIfAbsent(fire.getScheduleId(), id -> new ArrayList<>()).add(fire);
    }
  }

  private void add(Revision revision) {
    if (isWanted(revision.getScheduleId())) {
      keep(size(KeptPayload.instead(revision.getSchedule())));
      audit.add(revision);
    }
  }

  private static int size(Schedule withoutPayload) {
    return RecordCodecs.schedule().encodeBody(withoutPayload).length;
  }

  /**
   * Counts a record that stays in memory.
   *
   * @param length of what is kept of it
   */
  private void keep(int length) {
    take(RECORD_BYTES + (long) length * IN_MEMORY);
  }

  private void take(long bytes) {
    bytesLeft -= bytes;
    if (bytesLeft < 0) {
      throw new TooLargeException();
    }
  }

  /** Empty for a tombstone and for a value that cannot be read. */
  private <T extends SpecificRecordBase> Optional<T> decoded(
      RecordCodec<T> codec, ConsumerRecord<byte[], byte[]> record) {
    return codec.readable(record.value(), schemas);
  }

  private <T extends SpecificRecordBase> void decode(
      RecordCodec<T> codec, ConsumerRecord<byte[], byte[]> record, Consumer<T> to) {
    Optional<T> value = decoded(codec, record);
    value.ifPresent(to);
    if (value.isEmpty() && record.value() != null) {
      keep(Partitions.key(record).length());
      unreadable.add(new Unreadable(Partitions.key(record), Partitions.position(record)));
    }
  }
}
