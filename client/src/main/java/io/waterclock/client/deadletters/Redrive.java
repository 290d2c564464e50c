package io.waterclock.client.deadletters;

import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;

/**
 * Sends dead letters again, or discards them. For each letter one transaction has the copy of its
 * record and the {@link Resolution} that remembers it: both are there, or none is, whenever the
 * process dies.
 *
 * <p>All redrives and discards of a prefix share one {@link #transactionalId transactional id}. One
 * that begins ends the one before it: the brokers abort what that had not committed, and refuse
 * what it sends from then on. It reads what is resolved after that, so no letter is sent again
 * twice. Transactions of others hide what was written behind them until they end; a redrive waits
 * for those.
 *
 * <p>A transaction has at most {@value #MOST_LETTERS} letters and {@value #MOST_BYTES} bytes of
 * them. If the brokers refuse a record, the others of its transaction are sent one by one.
 * Thread-safe; of two runs at once, the later one wins.
 *
 * @param brokers where to write
 */
public record Redrive(DeadLetterQueue queue, Brokers brokers) {
  /** A record that was sent again so often stays, unless the redrive is forced. */
  public static final int MOST_TIMES = 3;

  /**
   * The longest time that a redriver which has died holds up the readers of the topics to which it
   * was writing.
   */
  public static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(10);

  private static final Logger LOG = SafeLogger.of(Redrive.class);
  private static final Duration CLOSE = Duration.ofSeconds(5);
  private static final int MOST_LETTERS = 500;
  private static final int MOST_BYTES = 1 << 20;

  /**
   * What a broker refuses for a record itself, or for its topic; others would fail the same way.
   */
  private static final List<Class<? extends KafkaException>> OF_RECORDS =
      List.of(
          RecordTooLargeException.class,
          RecordBatchTooLargeException.class,
          InvalidTimestampException.class,
          InvalidTopicException.class,
          InvalidRecordException.class,
          PolicyViolationException.class,
          TopicAuthorizationException.class);

  private static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(2);

  /**
   * The brokers as a redrive needs them.
   *
   * @param producers creates a producer with the {@link #transactionalId transactional id}, to be
   *     closed by who asks for it
   * @param written the ends of partitions with what open transactions have written: those for
   *     readers of uncommitted records
   */
  public record Brokers(
      Supplier<Producer<byte[], byte[]>> producers,
      Function<List<TopicPartition>, Map<TopicPartition, Long>> written) {

    /**
     * Does not connect yet.
     *
     * @param settings of Kafka's clients; those of transactions are set here
     */
    public static Brokers of(Map<String, ?> settings, Topics topics) {
      Map<String, Object> own = new HashMap<>(settings);
      own.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId(topics.prefix()));
      own.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
      return new Brokers(
          () -> new KafkaProducer<>(own, new ByteArraySerializer(), new ByteArraySerializer()),
          partitions -> ends(settings, partitions));
    }

    private static Map<TopicPartition, Long> ends(
        Map<String, ?> settings, List<TopicPartition> partitions) {
      Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
      partitions.forEach(partition -> wanted.put(partition, OffsetSpec.latest()));
      try (Admin admin = Admin.create(new HashMap<>(settings))) {
        Map<TopicPartition, Long> ends = new HashMap<>();
        admin
            .listOffsets(wanted)
            .all()
            .get()
            .forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
      } catch (ExecutionException e) {
        throw new KafkaException(e.getCause());
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
  }

  /**
   * What to do.
   *
   * @param allowed letters that it leaves alone are not reported
   * @param topics to which records may go beside {@link Destination#isUsual the usual ones}
   * @param isForced also what was sent again {@value #MOST_TIMES} times or more
   * @param said headers that say who and why
   */
  public record Order(
      Resolution.Action action,
      LetterFilter filter,
      Predicate<FailedRecord> allowed,
      Set<String> topics,
      boolean isForced,
      Map<String, String> said) {}

  /** The id under which the brokers know the redrives and discards of a prefix. */
  public static String transactionalId(String prefix) {
    return prefix + ".redrive";
  }

  /** Reports what {@link #run} would do, as far as that is known without writing. */
  public void preview(Order order, Predicate<HandledLetter> goOn) {
    Plans plans = new Plans(order);
    queue.read(
        order.filter(),
        letter -> !order.allowed().test(letter) || goOn.test(plans.of(letter).handled()));
  }

  /**
   * Does it.
   *
   * @param goOn asked before each letter; what was begun ends before this returns
   * @param each takes a letter once that is committed, or stays
   * @throws RedriveException if another one begins, or the brokers fail; the letters that were
   *     reported are done
   */
  public void run(Order order, BooleanSupplier goOn, Consumer<HandledLetter> each) {
    Producer<byte[], byte[]> producer = guarded(brokers.producers());
    try {
      Batches batches = new Batches(producer, each);
      guard(producer::initTransactions);
      awaitOpenTransactions(queue.partitions(order.filter()));
      Plans plans = new Plans(order);
      queue.read(
          order.filter(),
          letter -> {
            if (order.allowed().test(letter)) {
              batches.add(plans.of(letter));
            }
            return goOn.getAsBoolean();
          });
      batches.commit();
    } finally {
      close(producer);
    }
  }

  /**
   * With a transaction open, a close without a bound waits for brokers that are away for as long as
   * they are. The brokers abort the transaction after its timeout.
   */
  private static void close(Producer<byte[], byte[]> producer) {
    try {
      producer.close(CLOSE);
    } catch (KafkaException e) {
      LOG.warn("The producer did not close cleanly", e);
    }
  }

  /** So that all is readable that was written until now. */
  private void awaitOpenTransactions(List<TopicPartition> partitions) {
    if (partitions.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> ends = guarded(() -> brokers.written().apply(partitions));
    if (!queue.reader().awaitReadable(ends, LONGEST_TRANSACTION)) {
      throw new RedriveException(
          "A transaction has been open in %s for %s s, and hides what is behind it; nothing was done. Does its producer still run?"
              .formatted(queue.topics().dlq(), LONGEST_TRANSACTION.toSeconds()),
          new TimeoutException("open transaction"));
    }
  }

  /** Runs what fails only with the brokers, or with another redrive. */
  private <T> T guarded(Supplier<T> work) {
    try {
      return work.get();
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  private void guard(Runnable work) {
    try {
      work.run();
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  private RedriveException failed(KafkaException e) {
    if (RootCause.chain(e).anyMatch(TransactionalIdAuthorizationException.class::isInstance)) {
      return new RedriveException(
          ("The dead letters cannot be resolved: the right to write with the transactional id %s is"
                  + " missing")
              .formatted(transactionalId(queue.topics().prefix())),
          e);
    }
    boolean isOvertaken =
        RootCause.chain(e)
            .anyMatch(
                cause ->
                    cause instanceof ProducerFencedException
                        || cause instanceof InvalidProducerEpochException);
    return isOvertaken
        ? new RedriveException(
            "Another redrive or discard of these dead letters has begun, which ended this one; or a"
                + " transaction took more than %s s".formatted(TRANSACTION_TIMEOUT.toSeconds()),
            e)
        : new RedriveException("The dead letters cannot be resolved: " + RootCause.of(e), e);
  }

  /**
   * A letter with what becomes of it.
   *
   * @param records what to write, in one transaction; empty if the letter stays
   */
  private record Plan(HandledLetter handled, List<ProducerRecord<byte[], byte[]>> records) {
    static Plan stays(FailedRecord letter, HandledLetter.Verdict verdict, String why) {
      return new Plan(new HandledLetter(letter, verdict, why), List.of());
    }

    long bytes() {
      FailedRecord.Content content = handled.letter().content();
      long key = content.key().map(all -> all.length).orElse(0);
      long value = content.value().map(all -> all.length).orElse(0);
      return key + value + HeaderNames.bytes(content.headers());
    }
  }

  /** Plans letters. Asks the brokers once for each topic. */
  private final class Plans {
    private final Order order;
    private final Map<String, Integer> partitions = new HashMap<>();
    private final Map<String, String> problems = new HashMap<>();

    Plans(Order order) {
      this.order = order;
    }

    Plan of(FailedRecord letter) {
      if (order.action() == Resolution.Action.DISCARDED) {
        return new Plan(
            new HandledLetter(letter, HandledLetter.Verdict.DISCARDED, ""),
            List.of(Resolution.record(letter, order.action(), order.said())));
      }
      if (letter.from().redriven() >= MOST_TIMES && !order.isForced()) {
        return Plan.stays(
            letter,
            HandledLetter.Verdict.TRIED,
            "it was sent again %s times, and failed each time".formatted(letter.from().redriven()));
      }
      Destination destination = queue.destination(letter);
      return destination instanceof Destination.To to
          ? to(letter, to)
          : Plan.stays(
              letter, HandledLetter.Verdict.REFUSED, ((Destination.Nowhere) destination).why());
    }

    private Plan to(FailedRecord letter, Destination.To to) {
      if (!Destination.isUsual(to.topic(), queue.topics())
          && !order.topics().contains(to.topic())) {
        return Plan.stays(
            letter,
            HandledLetter.Verdict.REFUSED,
            "it goes to the topic %s, which must be named".formatted(to.topic()));
      }
      int count = partitions.computeIfAbsent(to.topic(), this::count);
      if (count == 0) {
        return Plan.stays(
            letter, HandledLetter.Verdict.REFUSED, problems.getOrDefault(to.topic(), ""));
      }
      return new Plan(
          new HandledLetter(letter, HandledLetter.Verdict.REDRIVEN, to.topic()),
          List.of(
              to.record(letter.from().redriven() + 1, count),
              Resolution.record(letter, order.action(), order.said())));
    }

    /** Zero if the topic cannot be used. */
    private int count(String topic) {
      try {
        return new TopicReader(queue.reader().consumers()).partitions(topic).size();
      } catch (UnknownTopicOrPartitionException | InvalidTopicException e) {
        problems.put(topic, "there is no topic " + topic);
      } catch (TopicAuthorizationException e) {
        problems.put(topic, "the right to see the topic %s is missing".formatted(topic));
      } catch (KafkaException e) {
        throw failed(e);
      }
      return 0;
    }
  }

  /** Writes plans in transactions. */
  private final class Batches {
    private final Producer<byte[], byte[]> producer;
    private final Consumer<HandledLetter> each;
    private final List<Plan> open = new ArrayList<>();
    private long bytes;

    Batches(Producer<byte[], byte[]> producer, Consumer<HandledLetter> each) {
      this.producer = producer;
      this.each = each;
    }

    void add(Plan plan) {
      if (plan.records().isEmpty()) {
        each.accept(plan.handled());
        return;
      }
      open.add(plan);
      bytes += plan.bytes();
      if (open.size() == MOST_LETTERS || bytes >= MOST_BYTES) {
        commit();
      }
    }

    void commit() {
      List<Plan> plans = List.copyOf(open);
      open.clear();
      bytes = 0;
      if (plans.isEmpty()) {
        return;
      }
      if (refusal(plans).isEmpty()) {
        plans.forEach(plan -> each.accept(plan.handled()));
        return;
      }
      for (Plan plan : plans) {
        FailedRecord letter = plan.handled().letter();
        each.accept(
            refusal(List.of(plan))
                .map(why -> Plan.stays(letter, HandledLetter.Verdict.REFUSED, why).handled())
                .orElse(plan.handled()));
      }
    }

    /** Writes plans, or nothing: then says why the brokers refuse one of their records. */
    private Optional<String> refusal(List<Plan> plans) {
      guard(producer::beginTransaction);
      List<Throwable> failures = new ArrayList<>();
      List<Future<?>> sent = new ArrayList<>();
      try {
        for (Plan plan : plans) {
          plan.records().forEach(record -> sent.add(producer.send(record)));
        }
        producer.flush();
      } catch (KafkaException e) {
        failures.add(e);
      }
      sent.forEach(future -> failure(future).ifPresent(failures::add));
      if (failures.isEmpty()) {
        guard(producer::commitTransaction);
        return Optional.empty();
      }
      Optional<Throwable> ofRecord =
          failures.stream()
              .flatMap(RootCause::chain)
              .filter(cause -> OF_RECORDS.stream().anyMatch(type -> type.isInstance(cause)))
              .findFirst();
      if (ofRecord.isEmpty()) {
        throw failed(new KafkaException(failures.get(0)));
      }
      guard(producer::abortTransaction);
      return ofRecord.map(RootCause::of);
    }

    /** Of a record that was flushed, so it does not wait. */
    private static Optional<Throwable> failure(Future<?> flushed) {
      try {
        flushed.get();
        return Optional.empty();
      } catch (ExecutionException e) {
        return Optional.of(e.getCause() == null ? e : e.getCause());
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
  }
}
