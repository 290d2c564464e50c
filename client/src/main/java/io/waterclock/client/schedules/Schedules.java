package io.waterclock.client.schedules;

import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.RunningBackfill;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The schedules of a service: defines and steers them, and tells what there is.
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
 * <p>A change is sent at once and gives the scheduler's answer to come; many may be under way, and
 * changes of one thread are taken up in their order. The first one waits for the brokers, as the
 * first record of a {@link KafkaProducer} does. The future always ends, within the time-out and
 * what the brokers take: with an {@link Answer}, whether the scheduler has done it or not; with
 * {@link NotWrittenException} when nothing was asked; with {@link NoAnswerException} when the
 * answer is outstanding. What is chained to it runs on the common pool.
 *
 * <p>What reads ({@link #get}, {@link #list}, {@link #fires}) needs no scheduler: it reads topics,
 * on threads of this object, and fails with a {@link KafkaException}.
 *
 * <p>Thread-safe. One per process is enough, and each reads one partition of the answers topic.
 */
public final class Schedules extends Changes<CompletableFuture<Answer>> implements AutoCloseable {
  private final Connection connection;
  private final TransactionStates transactions;
  private final ExecutorService readers =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "waterclock-schedules");
            thread.setDaemon(true);
            return thread;
          });

  Schedules(Connection connection) {
    this.connection = connection;
    this.transactions = new TransactionStates(connection::consumer);
  }

  /** The schedules of the scheduler with the prefix {@code waterclock}. */
  public static Schedules connect(String bootstrapServers) {
    return builder(bootstrapServers).build();
  }

  /** For other prefixes, formats, time-outs and settings of Kafka's clients. */
  public static SchedulesBuilder builder(String bootstrapServers) {
    return new SchedulesBuilder(bootstrapServers);
  }

  @Override
  CompletableFuture<Answer> send(Request request) {
    try {
      SentRequest sent = SentRequest.by(connection.producer(), request, connection);
      return sent.answer(
          connection.timeout(), cause -> sent.silence(Pending.silence(connection), cause));
    } catch (KafkaException e) {
      return CompletableFuture.failedFuture(request.notWritten(connection.explain(e), e));
    }
  }

  /**
   * Changes that are part of a transaction of yours, with all that it holds: they are there when it
   * commits, and never were when it aborts. Waits for the brokers once; call it after {@code
   * initTransactions()} and before the transaction begins.
   *
   * @param producer of yours; never closed here, and its transactions are neither begun nor ended
   * @throws IllegalArgumentException if it is not transactional, so that what is sent would be
   *     there at once, whatever became of the rest
   * @throws KafkaException if the brokers or the registry do not answer in time
   */
  public SchedulesInTransaction in(Producer<byte[], byte[]> producer) {
    SchedulesInTransaction.check(producer);
    connection.ready();
    return new SchedulesInTransaction(producer, connection, transactions, readers);
  }

  /**
   * What the topics say of a schedule; empty if there is none. Reads the schedule's partition of
   * three topics from their beginning.
   */
  public CompletableFuture<Optional<KnownSchedule>> get(String id) {
    String known = ScheduleId.parse(id).value();
    return read(() -> catalogue().of(known));
  }

  /** What the topics say of all schedules, by ascending ids; all of it is in memory at once. */
  public CompletableFuture<List<KnownSchedule>> list() {
    return list("");
  }

  /** The same for those whose ids begin so; reads as much. */
  public CompletableFuture<List<KnownSchedule>> list(String prefix) {
    return read(() -> catalogue().all(id -> id.startsWith(prefix)));
  }

  /**
   * When a schedule fires next, as the scheduler tells it: the first occurrence that is not decided
   * and that neither a calendar nor a skip leaves out; empty if it is paused, complete or faulted.
   * Fails as a change does, and with {@link RefusedException} if there is no such schedule.
   */
  public CompletableFuture<Optional<Instant>> next(String id) {
    return send(Request.command(id, ScheduleCommand.next(1)))
        .thenApply(answer -> answer.orThrow().next());
  }

  /**
   * When a schedule fires the next {@code n} times, as the scheduler tells it: the first
   * occurrences that are not decided and that neither a calendar nor a skip leaves out, ascending.
   * Fewer where no more come, or where calendars and skips leave out so many that the scheduler
   * ends its search; none if it is paused, complete or faulted. Fails as {@link #next(String)}
   * does, and with {@link RefusedException} if {@code n} is not 1 to 1,000.
   */
  public CompletableFuture<List<Instant>> next(String id, int n) {
    return send(Request.command(id, ScheduleCommand.next(n)))
        .thenApply(answer -> answer.orThrow().occurrences());
  }

  /**
   * How far a backfill is, to within a thousand fires; empty if it has ended, or never was. Reads
   * the schedule's partition of the status topic.
   *
   * @param commandId that {@link Answer.Accepted#commandId} told
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
                          .ifPresent(value -> latest.addAll(status(value).getBackfills()));
                    }
                    return true;
                  });
          return latest.stream()
              .filter(running -> running.getCommandId().equals(commandId))
              .findFirst();
        });
  }

  private ScheduleStatus status(byte[] value) {
    return RecordCodecs.status().decode(value, connection.schemas());
  }

  /** The fires of a schedule that its topic retains, oldest first; all are in memory at once. */
  public CompletableFuture<List<Fire>> fires(String id) {
    List<Fire> fires = new ArrayList<>();
    return fires(id, fires::add).thenApply(done -> List.copyOf(fires));
  }

  /**
   * Hands over the fires of a schedule that its topic retains now, oldest first, one at a time.
   * Reads the schedule's partition of the topic.
   *
   * @param goOn is given a fire on a thread of this object; false ends it
   */
  public CompletableFuture<Void> fires(String id, Predicate<Fire> goOn) {
    byte[] beginning = (ScheduleId.parse(id).value() + "|").getBytes(StandardCharsets.US_ASCII);
    return read(
        () -> {
          reader()
              .toEnd(
                  home(id, connection.topics().fires()),
                  record ->
                      !startsWith(record.key(), beginning)
                          || goOn.test(
                              RecordCodecs.fire().decode(record.value(), connection.schemas())));
          return null;
        });
  }

  private static boolean startsWith(byte[] key, byte[] beginning) {
    return key.length > beginning.length
        && Arrays.equals(key, 0, beginning.length, beginning, 0, beginning.length);
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

  private <T> CompletableFuture<T> read(Supplier<T> reading) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return reading.get();
          } catch (KafkaException e) {
            throw new CompletionException(new KafkaException(connection.explain(e), e));
          }
        },
        readers);
  }

  /** Ends this; what was sent is written, and answers that have not come fail. */
  @Override
  public void close() {
    readers.shutdownNow();
    transactions.close();
    connection.close();
  }
}
