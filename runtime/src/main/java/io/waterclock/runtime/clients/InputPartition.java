package io.waterclock.runtime.clients;

import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.guard.FreshEnds;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;

/**
 * How far a task has read one of its input partitions. For its stream thread only.
 *
 * <p>The end includes what open transactions have written: records behind it are acknowledged, and
 * a delete may be among them. A read_committed consumer does not see them until the transactions
 * end. After {@link #OPEN_TRANSACTION} the end is where such a consumer stops. The consumer's
 * position passes transaction markers and compacted gaps, which no processor sees.
 */
final class InputPartition {
  private static final Logger LOG = SafeLogger.of(InputPartition.class);

  /** How long a transaction is open before the task asks whose it is. */
  private static final Duration USUAL_TRANSACTION = Duration.ofSeconds(5);

  /** A task that reads a record this long after it was written keeps up. */
  private static final Duration KEEPS_UP = Duration.ofMillis(100);

  /** How long the task waits for the end of transactions that others have open in the partition. */
  static final Duration OPEN_TRANSACTION = Duration.ofMinutes(2);

  private final WatchedConsumer consumer;
  private final WatchedClients clients;
  private final TopicPartition partition;
  private final Returned returned;

  /** The last record after which the task was compared with {@link #KEEPS_UP}. */
  private long comparedAfter = -1;

  private boolean keepsUp;
  private Optional<Pending> pending = Optional.empty();

  /** Inclusive: up to here a request has shown that everything is read. */
  private Instant shown = Instant.EPOCH;

  private Optional<Blocked> blocked = Optional.empty();

  private Optional<CompletableFuture<String>> blockedBy = Optional.empty();

  InputPartition(WatchedConsumer consumer, WatchedClients clients, TopicPartition partition) {
    this.consumer = consumer;
    this.clients = clients;
    this.partition = partition;
    consumer.forget(partition);
    this.returned = consumer.returned(partition);
  }

  void processed(long offset) {
    returned.processed(offset);
  }

  /** True while the consumer has returned records that the task has not processed. */
  boolean isBehind() {
    return returned.isBehind();
  }

  /**
   * Inclusive: no record that was written up to this instant is unread; {@code now} for a task that
   * keeps up. Then it costs no request: each answer to a fetch says how far the partition goes.
   * Such an answer may be old when its last record is processed. So a task that reads late asks for
   * the end, until it passes one that it has just asked for.
   */
  Instant readThrough(Instant now) {
    Instant through = byConsumer(now);
    if (through.isAfter(now.minus(KEEPS_UP))) {
      pending = Optional.empty();
      return through.isAfter(now) ? now : through;
    }
    if (pending.filter(asked -> asked.end().isPassed()).isPresent()) {
      shown = pending.get().at();
      pending = Optional.empty();
      comparedAfter = returned.lastProcessed();
      keepsUp = shown.isAfter(now.minus(KEEPS_UP));
    }
    if (pending.isEmpty()) {
      pending = Optional.of(new Pending(end(), now));
    }
    return through.isAfter(shown) ? through : shown;
  }

  /**
   * As {@link #readThrough}, as far as the consumer knows. A timestamp in the future is ignored.
   */
  private Instant byConsumer(Instant now) {
    Optional<Instant> earliest = returned.earliestUnprocessed();
    Instant known = earliest.map(at -> at.minusMillis(1)).orElse(returned.last());
    if (known.isAfter(now.plus(KEEPS_UP))) {
      known = Instant.EPOCH;
    }
    if (earliest.isPresent()) {
      return known;
    }
    if (comparedAfter != returned.lastProcessed()) {
      comparedAfter = returned.lastProcessed();
      keepsUp = known.isAfter(now.minus(KEEPS_UP));
    }
    return keepsUp && consumer.currentLag(partition).orElse(0) == 0 ? now : known;
  }

  /** The transactions that have been between the task and the end for some seconds. */
  Optional<String> waitsFor() {
    boolean isLong =
        blocked
            .filter(it -> System.nanoTime() - it.sinceNanos() > USUAL_TRANSACTION.toNanos())
            .isPresent();
    if (!isLong) {
      blockedBy = Optional.empty();
      return Optional.empty();
    }
    if (blockedBy.isEmpty()) {
      blockedBy = Optional.of(clients.openTransactions(partition));
      var unused =
          blockedBy
              .get()
              .thenAccept(whose -> LOG.warn("{}: waits for the end of {}", partition, whose));
    }
    String whose = blockedBy.get().getNow("a transaction");
    return Optional.of("waits for the end of %s in %s".formatted(whose, partition));
  }

  /** Requests the end that the partition has now, or a moment later. */
  FreshEnds.End end() {
    return new Asked();
  }

  /**
   * An end that the task reads up to.
   *
   * @param at when it was requested
   */
  private record Pending(FreshEnds.End end, Instant at) {}

  /**
   * Only open transactions are between the task and an end.
   *
   * @param high that end: a task that has passed it has seen these transactions end
   */
  private record Blocked(long sinceNanos, long high) {}

  /**
   * The end of the partition.
   *
   * @param atNanos when the answer came
   */
  private record Answer(WatchedClients.End end, long atNanos) {}

  /** Asks the brokers at once, in the background; later it compares numbers. */
  private final class Asked implements FreshEnds.End {
    private CompletableFuture<Answer> answer = ask();
    private boolean passed;

    @Override
    public boolean isPassed() {
      if (!passed && answer.isDone()) {
        try {
          passed = isPast(answer.join().end());
        } catch (CompletionException e) {
          if (!(e.getCause() instanceof RetriableException)) {
            throw e;
          }
          LOG.warn("{}: no broker has returned the end of the partition; asking again", partition);
          answer = ask();
        }
      }
      return passed;
    }

    @Override
    public long learnedAtNanos() {
      return answer.join().atNanos();
    }

    private CompletableFuture<Answer> ask() {
      return clients.end(partition).thenApply(end -> new Answer(end, System.nanoTime()));
    }

    private boolean isPast(WatchedClients.End end) {
      blocked = blocked.filter(it -> !isPast(it.high()));
      if (isPast(end.high()) || !isPast(end.stable())) {
        return isPast(end.high());
      }
      long now = System.nanoTime();
      blocked = blocked.or(() -> Optional.of(new Blocked(now, end.high())));
      return now - blocked.get().sinceNanos() > OPEN_TRANSACTION.toNanos();
    }

    private boolean isPast(long offset) {
      return returned.lastProcessed() >= offset - 1
          || (!isBehind()
              && consumer.knownPosition(partition).filter(at -> at >= offset).isPresent());
    }
  }
}
