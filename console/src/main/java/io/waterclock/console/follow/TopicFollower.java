package io.waterclock.console.follow;

import io.waterclock.client.deadletters.FailedRecord;
import io.waterclock.client.deadletters.Resolution;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.jobs.FailureText;
import io.waterclock.console.model.DeadLetterRow;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.definition.CalendarRules;
import io.waterclock.limits.LimitRules;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;

/**
 * Reads the topics into a {@link ReadModel} on a thread of its own: first what they hold, topic by
 * topic, then what is written to them. After a failure it goes on where it was. A record that
 * cannot be read changes nothing. At a record whose schema is not available it waits, which is a
 * problem until the record is read.
 */
public final class TopicFollower implements AutoCloseable {
  private static final Logger LOG = SafeLogger.of(TopicFollower.class);
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(2);

  /** A scheduler writes watermarks every five seconds; after this long the broker may be down. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

  /** How many schedules are looked at after each poll for a next occurrence that has passed. */
  private static final int REFRESHED = 5_000;

  private static final int MOST_DEAD_LETTERS = 1_000;
  private static final long MOST_COMMANDS = 100_000;

  private final TopicReader reader;
  private final Topics topics;
  private final SchemaSource schemas;
  private final ReadModel model;
  private final InstantSource clock;
  private final long mostFires;
  private final RejectionLog failures;
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "waterclock-console-follower");
  private int schedulePartitions;
  private boolean isHeard;
  private Instant heardAt = Instant.MIN;
  private Optional<Unread> unread = Optional.empty();
  private volatile Progress progress = new Progress(false, Optional.empty());
  private String lastFailure = "";

  private boolean isWarned;
  private boolean hasLimits;
  private Instant lookedForLimits = Instant.MIN;

  private record Unread(TopicPartition partition, long offset, String why) {}

  /**
   * How far it is.
   *
   * @param isComplete whether all that the topics held at the start is read
   * @param problem why nothing can be read now
   */
  public record Progress(boolean isComplete, Optional<String> problem) {
    /** Why the model may not say what is in force; empty if it follows its topics. */
    public Optional<String> behind() {
      return isComplete
          ? problem.map(why -> "The console does not follow its topics now: " + why)
          : Optional.of(
              "The console still reads its topics" + problem.map(why -> ": " + why).orElse(""));
    }
  }

  private TopicFollower(TopicSource source, ReadModel model, Bounds bounds) {
    this.reader = source.reader();
    this.topics = source.topics();
    this.schemas = source.schemas();
    this.model = model;
    this.clock = bounds.clock();
    this.mostFires = bounds.fires();
    this.failures =
        new RejectionLog(
            bounds.clock()::instant, " more records could not be shown and got no line each");
    thread.setDaemon(true);
  }

  /**
   * What is outside of the topics.
   *
   * @param fires how many of the newest to read
   */
  public record Bounds(long fires, InstantSource clock) {}

  /** Starts to read; returns at once. */
  public static TopicFollower start(TopicSource source, ReadModel model, Bounds bounds) {
    TopicFollower follower = new TopicFollower(source, model, bounds);
    follower.thread.start();
    return follower;
  }

  public Progress progress() {
    return progress;
  }

  private void run() {
    boolean isComplete = false;
    while (!isStopped()) {
      try {
        if (model.read(ModelQueries::hasRoomAgain)) {
          LOG.info("The console has room again and reads its topics anew");
          progress = new Progress(false, Optional.empty());
          model.clear();
          positions.clear();
          isWarned = false;
          isComplete = false;
        }
        if (!isComplete) {
          readHeld();
          isComplete = true;
        }
        if (progress.problem().isPresent()) {
          askBroker();
        }
        unread = unread.filter(this::isHeld);
        progress = new Progress(true, unread.map(Unread::why));
        heardAt = clock.instant();
        lastFailure = "";
        reader.follow(positions, UnaryOperator.identity(), this::take, this::refresh);
      } catch (ReadAgainException e) {
        isComplete = false;
        LOG.debug("There is more to read");
      } catch (RuntimeException e) {
        if (isStopped()) {
          return;
        }
        warnOnce(RootCause.of(e));
        progress = new Progress(isComplete, Optional.of(FailureText.of(e)));
        pause();
      } catch (Error e) {
        String why = "reading has ended, restart the console: " + e;
        progress = new Progress(isComplete, Optional.of(why));
        throw e;
      }
    }
  }

  /** It tries again every few seconds, as long as it lacks a right, say. */
  private void warnOnce(String why) {
    if (!why.equals(lastFailure)) {
      LOG.warn("The console cannot read its topics: {}", why);
    }
    lastFailure = why;
  }

  private void pause() {
    try {
      stopped.await(BETWEEN_TRIES.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isStopped() {
    return stopped.getCount() == 0 || Thread.currentThread().isInterrupted();
  }

  /**
   * In an order in which the model keeps the least: a status says little if its revision is known.
   */
  private void readHeld() {
    schedulePartitions = reader.partitions(topics.schedules()).size();
    model.write(to -> to.partitioned(schedulePartitions));
    readLimits(topics.limits(), Long.MAX_VALUE);
    lookedForLimits = clock.instant();
    hasLimits = positions.keySet().stream().anyMatch(one -> one.topic().equals(topics.limits()));
    if (hasLimits) {
      model.write(ModelWriter::limitsKnown);
    }
    for (String topic :
        List.of(
            topics.calendars(),
            topics.revisions(),
            topics.schedules(),
            topics.status(),
            topics.watermarks())) {
      read(topic, Long.MAX_VALUE);
    }
    model.write(to -> to.forgetGone());
    // what has ended needs no room when its start is read
    readLimits(topics.waiting(), mostFires / schedulePartitions);
    read(topics.fires(), mostFires / schedulePartitions);
    read(topics.missed(), Long.MAX_VALUE);
    read(topics.outcomes(), Long.MAX_VALUE);
    read(topics.commands(), MOST_COMMANDS / schedulePartitions);
    read(topics.dlq(), MOST_DEAD_LETTERS);
  }

  /** The topics of limits may be missing, or not for this reader: then there are no limits. */
  private void readLimits(String topic, long most) {
    if (!reader.partitionsIfAny(topic).isEmpty()) {
      read(topic, most);
    }
  }

  private void read(String topic, long most) {
    List<TopicPartition> partitions = new ArrayList<>(reader.partitions(topic));
    Map<TopicPartition, Long> begun = new HashMap<>(positions); // before a failure
    begun.keySet().retainAll(partitions);
    if (!begun.isEmpty()) {
      reader.from(begun, this::take);
    }
    partitions.removeAll(begun.keySet());
    if (partitions.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> beginnings = reader.beginnings(partitions);
    reader.newest(partitions, most, this::take);
    beginnings.forEach(positions::putIfAbsent);
  }

  /** Runs after each poll; the reader has no other way to end a poll without a record. */
  private void refresh() {
    if (isStopped()) {
      throw new CancellationException();
    }
    Instant now = clock.instant();
    if (isHeard) {
      isHeard = false;
      heardAt = now;
    } else if (heardAt.plus(SILENCE).isBefore(now)) {
      askBroker();
      heardAt = clock.instant();
    }
    failures.logCount();
    model.write(to -> to.refreshNext(now, REFRESHED));
    if (model.read(ModelQueries::hasRoomAgain) || hasLimitsNow(now)) {
      throw new ReadAgainException();
    }
  }

  /** Whether the topics of limits have come to exist since the reading began. */
  private boolean hasLimitsNow(Instant now) {
    if (hasLimits || lookedForLimits.plus(BETWEEN_LOOKS).isAfter(now)) {
      return false;
    }
    lookedForLimits = now;
    return !reader.partitionsIfAny(topics.limits()).isEmpty();
  }

  /** Ends the following, as records alone could. */
  private static final class ReadAgainException extends RuntimeException {}

  /** Fails if no broker answers; a consumer that follows waits without a word. */
  private void askBroker() {
    var unused = reader.beginnings(reader.partitions(topics.watermarks()));
  }

  /** False for a record that its topic has deleted meanwhile. */
  private boolean isHeld(Unread one) {
    Map<TopicPartition, Long> beginnings = reader.beginnings(List.of(one.partition()));
    return beginnings.getOrDefault(one.partition(), 0L) <= one.offset();
  }

  private boolean take(ConsumerRecord<byte[], byte[]> record) {
    isHeard = true;
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    try {
      change(record).ifPresent(model::write);
    } catch (UndecodableException | InvalidIdException e) {
      LOG.debug("{}: {}", Partitions.position(record), e.getMessage());
    } catch (SchemaUnavailableException e) {
      String why = Partitions.position(record) + " is not read yet: " + e.getMessage();
      unread = Optional.of(new Unread(partition, record.offset(), why));
      throw e; // a later try reads the record
    } catch (RuntimeException e) {
      failures.rejected("The console steps over " + Partitions.position(record), e.toString());
      LOG.debug("The console steps over {}", Partitions.position(record), e);
    }
    positions.put(partition, record.offset() + 1);
    if (unread.filter(one -> one.partition().equals(partition)).isPresent()) {
      unread = Optional.empty();
      progress = new Progress(progress.isComplete(), Optional.empty());
    }
    warnOfRoom();
    return !isStopped();
  }

  private void warnOfRoom() {
    if (!isWarned && model.read(ModelQueries::isIncomplete)) {
      isWarned = true;
      LOG.warn(
          "The console has no room for all schedules and calendars in {} MB: it shows those that it"
              + " read first. Give it more memory (console.memory, --memory), or a process of its"
              + " own",
          model.mostBytes() / 1_000_000);
    }
  }

  /** What a record changes; it is decoded before the model is locked. */
  private Optional<Consumer<ModelWriter>> change(ConsumerRecord<byte[], byte[]> record) {
    String topic = record.topic();
    Instant now = clock.instant();
    Instant at = Instant.ofEpochMilli(record.timestamp());
    if (topic.equals(topics.schedules())) {
      return definition(record, now);
    } else if (topic.equals(topics.calendars())) {
      return calendar(record, now);
    } else if (topic.equals(topics.status())) {
      String id = id(record);
      Optional<ScheduleStatus> status = optional(RecordCodecs.status(), record);
      return Optional.of(to -> to.status(id, status, now));
    } else if (topic.equals(topics.dlq())) {
      return letter(record);
    } else if (topic.equals(topics.fires())) {
      return optional(RecordCodecs.fire(), record)
          .map(
              fire ->
                  to -> {
                    to.fired(fire, record.partition(), record.offset());
                    limited(fire, record).ifPresent(key -> to.started(limit(fire), key, at));
                  });
    } else if (topic.equals(topics.waiting())) {
      return waiting(record, at);
    } else if (topic.equals(topics.limits())) {
      return limit(record, at);
    } else if (topic.equals(topics.watermarks())) {
      return optional(RecordCodecs.watermark(), record)
          .map(watermark -> to -> to.watermark(watermark));
    } else if (topic.equals(topics.revisions())) {
      Revision revision = decode(RecordCodecs.revision(), record);
      return Optional.of(to -> to.revision(revision, now));
    } else if (topic.equals(topics.missed())) {
      Missed missed = decode(RecordCodecs.missed(), record);
      return Optional.of(to -> to.missed(missed));
    } else if (topic.equals(topics.outcomes())) {
      Outcome outcome = decode(RecordCodecs.outcome(), record);
      return Optional.of(to -> to.reported(outcome, at, now));
    } else if (topic.equals(topics.commands())) {
      String id = id(record);
      Command command = decode(RecordCodecs.command(), record);
      return Optional.of(to -> to.commanded(id, command, at));
    }
    return Optional.empty();
  }

  /** The scheduler refuses an invalid one, and the one before stays in force. */
  private Optional<Consumer<ModelWriter>> calendar(
      ConsumerRecord<byte[], byte[]> record, Instant now) {
    String name = CalendarName.parse(record.key() == null ? new byte[0] : record.key()).value();
    Optional<Calendar> calendar =
        Optional.ofNullable(record.value())
            .flatMap(value -> CalendarRules.acceptable(value, schemas));
    return calendar.isPresent() || record.value() == null
        ? Optional.of(to -> to.calendar(name, calendar, now))
        : Optional.empty();
  }

  /** The same holds of a limit. */
  private Optional<Consumer<ModelWriter>> limit(ConsumerRecord<byte[], byte[]> record, Instant at) {
    LimitName name = LimitName.parse(record.key() == null ? new byte[0] : record.key());
    Optional<Limit> limit =
        Optional.ofNullable(record.value()).flatMap(value -> LimitRules.acceptable(value, schemas));
    return limit.isPresent() || record.value() == null
        ? Optional.of(to -> to.limit(name, limit, at))
        : Optional.empty();
  }

  private Optional<Consumer<ModelWriter>> waiting(
      ConsumerRecord<byte[], byte[]> record, Instant at) {
    Optional<LimitName> limit = WaitingNote.group(record.headers());
    WaitingNote note = WaitingNote.of(record.headers());
    Optional<Fire> fire = optional(RecordCodecs.fire(), record);
    String key = Partitions.key(record);
    return Optional.of(to -> to.noted(limit, note, key, fire, at));
  }

  private static Optional<FireKey> limited(Fire fire, ConsumerRecord<byte[], byte[]> record) {
    return fire.getSchedule().getLimit() == null
        ? Optional.empty()
        : Optional.of(FireKey.parse(Partitions.key(record)));
  }

  private static String limit(Fire fire) {
    return String.valueOf(fire.getSchedule().getLimit());
  }

  /** A stray is not at home; the scheduler moves it there. */
  private Optional<Consumer<ModelWriter>> definition(
      ConsumerRecord<byte[], byte[]> record, Instant now) {
    String id = id(record);
    if (HomePartition.of(record.key(), schedulePartitions) != record.partition()) {
      return Optional.empty();
    }
    if (record.value() == null) {
      return Optional.of(to -> to.deleted(id));
    }
    Optional<Schedule> schedule = readable(record);
    return Optional.of(to -> to.written(id, Partitions.position(record), schedule, now));
  }

  private Optional<Schedule> readable(ConsumerRecord<byte[], byte[]> record) {
    try {
      return optional(RecordCodecs.schedule(), record);
    } catch (UndecodableException e) {
      return Optional.empty();
    }
  }

  /** A dead letter, or what became of one; empty for one that nothing became of. */
  private Optional<Consumer<ModelWriter>> letter(ConsumerRecord<byte[], byte[]> record) {
    if (Resolution.is(record)) {
      return Resolution.of(record)
          .map(
              resolved -> {
                Partitions.Place letter = resolved.letter();
                String place = letter.partition() + "@" + letter.offset();
                return to -> to.resolved(place);
              });
    }
    FailedRecord failed = FailedRecord.of(record);
    DeadLetterRow row =
        new DeadLetterRow(
            failed.at(),
            failed.position(),
            failed.schedule(topics).orElse(""),
            new DeadLetterRow.Failed(
                failed.from().origin().map(FailedRecord.Origin::position).orElse(""),
                failed.content().keyText(),
                failed.from().redriven()),
            failed.reason());
    return Optional.of(to -> to.deadLetter(row));
  }

  private static String id(ConsumerRecord<byte[], byte[]> record) {
    return ScheduleId.parse(record.key() == null ? new byte[0] : record.key()).value();
  }

  private <T extends SpecificRecordBase> Optional<T> optional(
      RecordCodec<T> codec, ConsumerRecord<byte[], byte[]> record) {
    return record.value() == null ? Optional.empty() : Optional.of(decode(codec, record));
  }

  private <T extends SpecificRecordBase> T decode(
      RecordCodec<T> codec, ConsumerRecord<byte[], byte[]> record) {
    return codec.decode(record.value() == null ? new byte[0] : record.value(), schemas);
  }

  @Override
  public void close() {
    stopped.countDown();
    try {
      thread.join(LONGEST_CLOSE.toMillis());
      thread.interrupt(); // if a broker does not answer
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
