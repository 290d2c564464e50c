package io.waterclock.client.schedules;

import io.waterclock.client.UnavailableException;
import io.waterclock.client.topics.BulkRun;
import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.RunningBackfill;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.threads.DaemonThreads;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * Defines, controls and reads schedules.
 *
 * <pre>{@code
 * try (Schedules schedules = Schedules.connect("localhost:9092")) {
 *   Answer.Accepted accepted =
 *       schedules.put("reports/daily", ScheduleBuilder.cron("0 9 * * 1-5").timezone("Europe/Berlin"))
 *           .join()
 *           .orThrow();
 *   log("next report at " + accepted.next());
 * }
 * }</pre>
 *
 * <p>A method sends a change at once and returns a future of the scheduler's answer. Many changes
 * may be in flight; the scheduler handles the changes of one thread in their order. The first one
 * waits for the brokers, as the first record of a {@link KafkaProducer} does. The future always
 * ends, within the timeout and the time that the brokers need: with an {@link Answer}, whether the
 * scheduler accepts or refuses the change; with {@link NotWrittenException} if the request was not
 * written; with {@link NoAnswerException} if there is no answer yet. Dependent stages run on the
 * common pool.
 *
 * <p>{@link #get}, {@link #list} and {@link #fires} need no scheduler: they read topics, on threads
 * of this object, at most 32 at a time, and fail with {@link UnavailableException}. {@code join()}
 * throws these failures themselves, without a {@code CompletionException} around them.
 *
 * <p>Thread-safe. One object per process is enough; each reads one partition of the answers topic.
 */
public final class Schedules extends Changes<CompletableFuture<Answer>> implements AutoCloseable {
  private static final int MOST_READERS = 32;
  private static final Duration READERS_IDLE = Duration.ofMinutes(1);

  private final Connection connection;
  private final TransactionStates transactions;
  private final ThreadLocal<Boolean> isReader = ThreadLocal.withInitial(() -> false);
  private final ExecutorService readers = readers();

  private Schedules(Connection connection) {
    this.connection = connection;
    this.transactions = new TransactionStates(connection::consumer);
  }

  private ExecutorService readers() {
    ThreadFactory daemons = DaemonThreads.named("waterclock-schedules");
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            MOST_READERS,
            MOST_READERS,
            READERS_IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task ->
                daemons.newThread(
                    () -> {
                      isReader.set(true);
                      task.run();
                    }));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Connects to the scheduler with the prefix {@code waterclock}. */
  public static Schedules connect(String bootstrapServers) {
    return builder(bootstrapServers).build();
  }

  /** Sets other prefixes, formats, timeouts and settings of Kafka's clients. */
  public static Builder builder(String bootstrapServers) {
    return new Builder(bootstrapServers);
  }

  @Override
  CompletableFuture<Answer> send(Request request) {
    try {
      SentRequest sent = SentRequest.by(connection.producer(), request, connection);
      return sent.answer(
          connection.timeout(), cause -> sent.silence(Pending.silence(connection), cause));
    } catch (KafkaException e) {
      return Reply.failed(request.notWritten(connection.explain(e), e));
    }
  }

  /**
   * Sends a definition, a delete or a command that is a record already, and returns the answer as
   * the scheduler wrote it. For tools that forward what others wrote: nothing is checked here, so
   * the answer names every error.
   *
   * @param record for the topic of schedules or of commands; gets the headers that ask for an
   *     answer
   * @return without a timeout; complete it to stop waiting. Fails with {@link NotWrittenException},
   *     or with a {@link KafkaException} if this object cannot read the answer. Completed on the
   *     thread that reads answers, or on another one that may block
   */
  public CompletableFuture<io.waterclock.schemas.avro.Answer> ask(
      ProducerRecord<byte[], byte[]> record) {
    try {
      return connection
          .ready()
          .mailbox()
          .ask(connection.producer(), record, failure -> notWritten(record, failure));
    } catch (KafkaException e) {
      return CompletableFuture.failedFuture(notWritten(record, e));
    }
  }

  private NotWrittenException notWritten(ProducerRecord<byte[], byte[]> record, Exception e) {
    String why = e instanceof KafkaException kafka ? connection.explain(kafka) : RootCause.of(e);
    return new NotWrittenException(
        "The record for " + record.topic() + " was not written: " + why, e);
  }

  /**
   * Makes changes part of your transaction: the scheduler reads them after its commit, and never if
   * it aborts. Waits for the brokers once; call it after {@code initTransactions()} and before the
   * transaction begins.
   *
   * @param producer your producer; this object neither closes it nor begins or ends its
   *     transactions
   * @throws IllegalArgumentException if it is not transactional: the scheduler would read the
   *     changes at once, also if the rest of your transaction fails
   * @throws UnavailableException if the brokers or the registry do not answer in time
   */
  public SchedulesInTransaction in(Producer<byte[], byte[]> producer) {
    SchedulesInTransaction.check(producer);
    try {
      connection.ready();
    } catch (KafkaException e) {
      throw new UnavailableException(connection.explain(e), e);
    }
    return new SchedulesInTransaction(producer, connection, transactions);
  }

  /**
   * The data of a schedule; empty if it does not exist. Reads the schedule's partition of three
   * topics from the beginning.
   */
  public CompletableFuture<Optional<KnownSchedule>> get(String id) {
    String known = ScheduleId.parse(id).value();
    return read(() -> catalogue().of(known));
  }

  /** The data of all schedules, in the order of their ids; all of it is in memory at once. */
  public CompletableFuture<List<KnownSchedule>> list() {
    return list("");
  }

  /** The data of the schedules whose ids begin with a prefix; reads as much as {@link #list()}. */
  public CompletableFuture<List<KnownSchedule>> list(String prefix) {
    return read(() -> catalogue().all(id -> id.startsWith(prefix)));
  }

  /** The data of the schedules that match; reads as much as {@link #list()}. */
  public CompletableFuture<List<KnownSchedule>> list(Selector selector) {
    return read(() -> catalogue().all().stream().filter(selector).toList());
  }

  /**
   * The schedules that match now, for a change to all of them; reads as much as {@link #list()}.
   * Leaves out ids without any accepted definition, unless the selector names their state.
   */
  public CompletableFuture<Selection> select(Selector selector) {
    return read(() -> Selection.of(catalogue().all(), selector, this::toEach));
  }

  /** Sends a command to every schedule that matches now, as {@link Selection#command} does. */
  public CompletableFuture<BulkResult> command(Selector selector, ScheduleCommand command) {
    return select(selector).thenCompose(selection -> selection.command(command));
  }

  /**
   * Deletes every schedule that matches now, as {@link Selection#delete} does: for example all
   * reminders of an invoice that is paid. Reads as much as {@link #list()}, so where it is known
   * which schedules there may be, {@link #delete(String)} for each costs less.
   *
   * @throws IllegalArgumentException for a selector of all schedules; {@link #select} and {@link
   *     Selection#delete} delete all
   */
  public CompletableFuture<BulkResult> delete(Selector selector) {
    if (selector.isAll()) {
      throw new IllegalArgumentException(
          "this selector matches every schedule of the prefix; to delete all, use"
              + " select(Selector.all()), look at its ids(), and call its delete()");
    }
    return select(selector).thenCompose(Selection::delete);
  }

  /**
   * Defines or redefines a calendar. There is no answer: it completes when the brokers have the
   * record, and tasks follow it within milliseconds after that. Fails with {@link
   * NotWrittenException}.
   *
   * @throws io.waterclock.schemas.InvalidIdException if it is not a valid name
   * @throws IllegalStateException as {@link CalendarBuilder#build} does
   */
  public CompletableFuture<Void> putCalendar(String name, CalendarBuilder calendar) {
    return writeCalendar(
        name, RecordCodecs.calendar().encode(calendar.build(), connection.withoutRegistry()));
  }

  /**
   * Deletes a calendar: from now on it excludes nothing. Completes and fails as {@link
   * #putCalendar} does.
   */
  public CompletableFuture<Void> deleteCalendar(String name) {
    return writeCalendar(name, null);
  }

  private CompletableFuture<Void> writeCalendar(String name, byte @Nullable [] value) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(connection.topics().calendars(), new CalendarName(name).utf8(), value);
    Reply<Void> written = new Reply<>();
    try {
      var unused =
          connection
              .producer()
              .send(
                  record,
                  (metadata, failure) -> {
                    // not in the thread of the producer's I/O, which the caller's code may need
                    var unusedTask =
                        CompletableFuture.runAsync(
                            () -> {
                              if (failure == null) {
                                written.complete(null);
                              } else {
                                written.completeExceptionally(notWritten(record, failure));
                              }
                            });
                  });
    } catch (KafkaException e) {
      written.completeExceptionally(notWritten(record, e));
    }
    return written;
  }

  /**
   * The scheduler's answer to when a schedule fires next: the first undecided occurrence that
   * neither a calendar nor a skip excludes; empty if it is paused, complete or faulted. Fails as a
   * change does, and with {@link Answer.RefusedException} if the schedule does not exist.
   */
  public CompletableFuture<Optional<Instant>> next(String id) {
    return next(id, 1, Optional.empty()).thenApply(Answer.Accepted::next);
  }

  /**
   * The scheduler's answer to when a schedule fires the next {@code n} times: the first undecided
   * occurrences that neither a calendar nor a skip excludes, in ascending order. Fewer if there are
   * no more, or if calendars and skips exclude so many that the scheduler ends its search; none if
   * it is paused, complete or faulted. Fails as {@link #next(String)} does, and with {@link
   * Answer.RefusedException} if {@code n} is not 1 to 100.
   */
  public CompletableFuture<List<Instant>> next(String id, int n) {
    return next(id, n, Optional.empty()).thenApply(Answer.Accepted::occurrences);
  }

  /**
   * As {@link #next(String, int)}, for the occurrences later than an instant.
   *
   * @param after exclusive; an instant up to which everything is decided changes nothing
   */
  public CompletableFuture<List<Instant>> next(String id, int n, Instant after) {
    return next(id, n, Optional.of(after)).thenApply(Answer.Accepted::occurrences);
  }

  private CompletableFuture<Answer.Accepted> next(String id, int n, Optional<Instant> after) {
    return send(Request.command(id, ScheduleCommand.next(n, after))).thenApply(Answer::orThrow);
  }

  /**
   * The progress of a backfill, with an error of up to a thousand fires; empty if it has ended or
   * never existed. Reads the schedule's partition of the status topic.
   *
   * @param commandId the id from {@link Answer.Accepted#commandId}
   */
  public CompletableFuture<Optional<RunningBackfill>> backfillProgress(
      String id, String commandId) {
    byte[] key = ScheduleId.parse(id).utf8();
    return read(
        () -> {
          List<RunningBackfill> latest = new ArrayList<>();
          reader()
              .toEnd(
                  home(id, connection.topics().status()),
                  record -> {
                    if (Arrays.equals(key, record.key())) {
                      latest.clear();
                      Optional.ofNullable(record.value())
                          .map(value -> RecordCodecs.status().decode(value, connection.schemas()))
                          .ifPresent(status -> latest.addAll(status.getBackfills()));
                    }
                    return true;
                  });
          return latest.stream()
              .filter(running -> running.getCommandId().equals(commandId))
              .findFirst();
        });
  }

  /**
   * When the watchdog last checked a schedule, see {@link KnownSchedule#checkedSince}; empty if it
   * has not yet, or the schedule does not exist. Reads what {@link #get} reads, and the end of the
   * topic of watermarks.
   */
  public CompletableFuture<Optional<Instant>> checkedSince(String id) {
    String known = ScheduleId.parse(id).value();
    return read(
        () -> {
          Topics topics = connection.topics();
          List<TopicPartition> schedules = reader().partitions(topics.schedules());
          Optional<NewestWatermark> latest =
              Optional.ofNullable(
                  NewestWatermark.all(
                          reader(), topics.watermarks(), connection.schemas(), schedules.size())
                      .get(Partitions.home(known, schedules).partition()));
          return catalogue()
              .of(known)
              .flatMap(
                  entry ->
                      entry.checkedSince(
                          latest.map(NewestWatermark::watermark).map(Watermark::getWalk)));
        });
  }

  /** The fires of a schedule that the topic retains, oldest first; all are in memory at once. */
  public CompletableFuture<List<Fire>> fires(String id) {
    List<Fire> fires = new ArrayList<>();
    return fires(id, fires::add).thenApply(done -> List.copyOf(fires));
  }

  /**
   * Passes the fires of a schedule that the topic retains now to {@code goOn}, oldest first, one at
   * a time. Reads the schedule's partition of the topic.
   *
   * @param goOn called with a fire on a thread of this object; false ends the read
   */
  public CompletableFuture<Void> fires(String id, Predicate<Fire> goOn) {
    byte[] beginning = (ScheduleId.parse(id).value() + "|").getBytes(StandardCharsets.US_ASCII);
    return read(
        () -> {
          reader()
              .toEnd(
                  List.of(Partitions.ofFires(id, reader(), connection.topics())),
                  record ->
                      record.value() == null
                          || !Partitions.keyBegins(record, beginning)
                          || goOn.test(
                              RecordCodecs.fire().decode(record.value(), connection.schemas())));
          return null;
        });
  }

  /**
   * The newest fires of a schedule with what workers have reported of their runs, the newest first.
   * Reads the newest records of the schedule's partitions of two topics: {@link RunReader#DEPTH} of
   * each.
   *
   * @param most how many, at least 1
   */
  public CompletableFuture<List<FireRun>> runs(String id, int most) {
    String known = ScheduleId.parse(id).value();
    return read(() -> runs().of(known, most));
  }

  /**
   * The newest runs of all schedules that failed, the newest first, as workers have reported them.
   * Reads the newest records of the topic of outcomes: {@link RunReader#DEPTH} of each partition.
   *
   * @param most how many, at least 1
   */
  public CompletableFuture<List<FireRun>> failedRuns(int most) {
    return read(() -> runs().reported(any -> true, FireRun::hasFailed, most));
  }

  private RunReader runs() {
    return new RunReader(reader(), connection.topics(), connection.schemas(), RunReader.DEPTH);
  }

  private CompletableFuture<BulkResult> toEach(
      List<String> ids,
      BiFunction<Changes<CompletableFuture<Answer>>, String, CompletableFuture<Answer>> change,
      double perSecond,
      Consumer<Answer> each) {
    Map<String, Answer> answers = new ConcurrentHashMap<>();
    Map<String, Throwable> failures = new ConcurrentHashMap<>();
    Function<String, Supplier<CompletableFuture<Optional<Answer>>>> sending =
        id ->
            () ->
                change
                    .apply(this, id)
                    .handle(
                        (answer, failure) -> {
                          if (failure == null) {
                            answers.put(id, answer);
                          } else {
                            failures.put(id, failure);
                          }
                          return Optional.ofNullable(answer);
                        });
    return read(
        () -> {
          new BulkRun(perSecond, BulkRun.FOREVER)
              .run(
                  ids.stream().map(sending).iterator(),
                  answer -> {
                    answer.join().ifPresent(each);
                    return true;
                  });
          return new BulkResult(answers, failures);
        });
  }

  private List<TopicPartition> home(String id, String topic) {
    return List.of(Partitions.home(id, reader().partitions(topic)));
  }

  private Catalogue catalogue() {
    return new Catalogue(reader(), connection.topics(), connection.schemas());
  }

  private TopicReader reader() {
    return new TopicReader(connection::consumer);
  }

  /**
   * A read that a caller's predicate asks for runs in its thread: if each reader waited for such a
   * read, none would be left for it.
   */
  private <T> CompletableFuture<T> read(Supplier<T> reading) {
    connection.requireOpen();
    Reply<T> reply = new Reply<>();
    if (isReader.get()) {
      read(reading, reply);
    } else {
      readers.execute(() -> read(reading, reply));
    }
    return reply;
  }

  /** Stages of the reply run on the common pool, where they hold no reader up. */
  private <T> void read(Supplier<T> reading, Reply<T> reply) {
    try {
      connection.requireOpen();
      T value = reading.get();
      reply.defaultExecutor().execute(() -> reply.complete(value));
    } catch (RuntimeException | Error e) {
      Throwable why =
          e instanceof KafkaException kafka
              ? new UnavailableException(connection.explain(kafka), e)
              : e;
      reply.defaultExecutor().execute(() -> reply.completeExceptionally(why));
    }
  }

  /** Closes the clients; sent changes are written, and outstanding answers and reads fail. */
  @Override
  public void close() {
    List<Runnable> unread = readers.shutdownNow();
    transactions.close();
    connection.close();
    unread.forEach(Runnable::run);
  }

  /** Builds a {@link Schedules}. Not thread-safe. */
  public static final class Builder {
    private final Map<String, Object> settings = new HashMap<>();
    private Topics topics = Topics.ofDefault();
    private WireFormat format = WireFormat.AVRO;
    private Duration timeout = Duration.ofSeconds(10);

    private Builder(String bootstrapServers) {
      settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    }

    /**
     * The prefix of the topics, the tenant. {@code waterclock} unless set.
     *
     * @throws InvalidIdException if it is not a valid prefix
     */
    public Builder prefix(String prefix) {
      topics = new Topics(prefix);
      return this;
    }

    /**
     * How long to wait for the scheduler's answer, and for the brokers. 10 s unless set.
     *
     * @throws IllegalArgumentException if it is not above zero
     */
    public Builder timeout(Duration time) {
      if (time.isNegative() || time.isZero()) {
        throw new IllegalArgumentException(
            "timeout " + time + " must be above zero, such as PT10S");
      }
      timeout = time;
      return this;
    }

    /**
     * The format of written records; Avro without a registry unless set. {@link
     * WireFormat#AVRO_REGISTRY} needs {@code schema.registry.url} among the settings given to
     * {@link #kafka}.
     */
    public Builder format(WireFormat written) {
      format = written;
      return this;
    }

    /**
     * Settings of Kafka's clients, such as {@code security.protocol}, and of a schema registry,
     * named as those of {@code kafka-avro-serializer}: {@code schema.registry.url}, {@code
     * auto.register.schemas} and so on. If the scheduler answers in the registry's format, this
     * client needs the registry too, whatever format it writes.
     */
    public Builder kafka(Map<String, ?> more) {
      settings.putAll(more);
      return this;
    }

    /**
     * Connects to nothing yet.
     *
     * @throws IllegalArgumentException if settings of the registry are wrong; the message names all
     *     of them
     */
    public Schedules build() {
      Optional<RegistrySettings> registry;
      try {
        registry = RegistrySettings.among(settings);
      } catch (ConfigException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
      if (format == WireFormat.AVRO_REGISTRY && registry.isEmpty()) {
        throw new IllegalArgumentException(
            "the format AVRO_REGISTRY needs a schema registry: set schema.registry.url, for example"
                + " http://127.0.0.1:8081");
      }
      Map<String, Object> ofKafka = new HashMap<>(settings);
      ofKafka.keySet().removeAll(RegistrySettings.KEYS);
      return new Schedules(new Connection(ofKafka, topics, format, registry, timeout));
    }
  }
}
