package io.waterclock.runtime.brokers;

import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.context.TargetTopics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.slf4j.Logger;

/**
 * Knows which allowed target topics exist, how large their records may be, and how many partitions
 * they have.
 *
 * <p>Idea: a look asks for the names of all topics at once, so one look answers for every record
 * that was written before it, even if many records name missing topics. A look is taken every few
 * seconds, and at once for a topic that the latest look did not find or whose details are not
 * known. A caller waits at most half a second for a look. While the brokers do not answer, callers
 * do not wait.
 *
 * <p>Thread-safe.
 */
public final class TargetWatch implements TargetTopics, AutoCloseable {
  private static final Logger LOG = SafeLogger.of(TargetWatch.class);
  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final Duration BACKGROUND_PATIENCE = Duration.ofSeconds(5);

  /**
   * The result of a look.
   *
   * @param takenAt when it began
   * @param names of the topics that may be targets
   * @param details of the topics that were named so far
   */
  private record View(
      Instant takenAt, Set<String> names, Map<String, TargetTopic.Present> details) {
    Optional<TargetTopic> present(String topic) {
      return Optional.ofNullable(details.get(topic));
    }
  }

  private final Admin admin;
  private final InstantSource clock;
  private final Predicate<String> mayBeTarget;
  private final int maxRequestBytes;
  private final Set<String> named = ConcurrentHashMap.newKeySet();
  private final Map<String, Instant> doubted = new ConcurrentHashMap<>();
  private final ReentrantLock looking = new ReentrantLock();
  private volatile View view = new View(Instant.MIN, Set.of(), Map.of());
  private volatile boolean answered = true;

  /**
   * @param admin closed by {@link #close}
   * @param mayBeTarget selects the topics to remember
   * @param maxRequestBytes the producer's own limit, which bounds every topic's limit
   */
  public TargetWatch(
      Admin admin, InstantSource clock, Predicate<String> mayBeTarget, int maxRequestBytes) {
    this.admin = admin;
    this.clock = clock;
    this.mayBeTarget = mayBeTarget;
    this.maxRequestBytes = maxRequestBytes;
  }

  @Override
  public TargetTopic find(String topic, Instant asOf) {
    View latest = view;
    if (!isDoubted(topic, latest)) {
      Optional<TargetTopic> known = latest.present(topic);
      if (known.isPresent()) {
        return known.get();
      }
    }
    Instant now = clock.instant();
    Instant notBefore = asOf.isAfter(now) ? now : asOf;
    if (!isMissing(topic, latest, notBefore)) {
      named.add(topic);
      latest = lookAgain(latest);
    }
    return isMissing(topic, latest, notBefore)
        ? new TargetTopic.Missing()
        : latest.present(topic).orElseGet(TargetTopic.Unknown::new);
  }

  private boolean isMissing(String topic, View found, Instant notBefore) {
    return !found.names().contains(topic)
        && !found.takenAt().isBefore(notBefore)
        && !isDoubted(topic, found);
  }

  private boolean isDoubted(String topic, View found) {
    Instant since = doubted.get(topic);
    return since != null && !found.takenAt().isAfter(since);
  }

  /** Marks a topic as doubtful: the next {@link #find} of it asks the brokers. Never waits. */
  public void doubt(String topic) {
    doubted.put(topic, clock.instant());
  }

  private View lookAgain(View seen) {
    try {
      if (answered && looking.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        try {
          if (view.takenAt().equals(seen.takenAt())) {
            look(PATIENCE);
          }
        } finally {
          looking.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return view;
  }

  /** Asks the brokers. Takes 5 s at most when they do not answer. */
  public void poll() {
    looking.lock();
    try {
      look(BACKGROUND_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      looking.unlock();
    }
  }

  private void look(Duration patience) throws InterruptedException {
    Instant start = clock.instant();
    long end = System.nanoTime() + patience.toNanos();
    try {
      Set<String> names = new HashSet<>(get(admin.listTopics().names(), end));
      names.removeIf(mayBeTarget.negate());
      named.retainAll(names);
      view = new View(start, Set.copyOf(names), details(Set.copyOf(named), end));
      doubted.values().removeIf(start::isAfter);
      answered = true;
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      answered = false;
      LOG.debug("No broker lists the topics", e);
    }
  }

  private Map<String, TargetTopic.Present> details(Set<String> topics, long end)
      throws InterruptedException, TimeoutException {
    Map<String, TargetTopic.Present> result = new HashMap<>();
    Map<String, KafkaFuture<TopicDescription>> described =
        admin.describeTopics(topics).topicNameValues();
    Map<ConfigResource, KafkaFuture<Config>> asked =
        admin
            .describeConfigs(
                topics.stream()
                    .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                    .toList())
            .values();
    for (Map.Entry<ConfigResource, KafkaFuture<Config>> topic : asked.entrySet()) {
      int limit = maxRequestBytes;
      try {
        ConfigEntry listed = get(topic.getValue(), end).get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        limit =
            Math.min(
                limit,
                listed == null || listed.value() == null
                    ? TopicSetup.DEFAULT_MESSAGE_BYTES
                    : Integer.parseInt(listed.value()));
      } catch (ExecutionException e) {
        LOG.debug("The size limit of {} is not available", topic.getKey().name(), e);
      }
      String name = topic.getKey().name();
      int partitions = partitions(Objects.requireNonNull(described.get(name)), end);
      result.put(name, new TargetTopic.Present(limit, partitions));
    }
    return Map.copyOf(result);
  }

  private static int partitions(KafkaFuture<TopicDescription> described, long end)
      throws InterruptedException, TimeoutException {
    try {
      return get(described, end).partitions().size();
    } catch (ExecutionException e) {
      LOG.debug("The number of partitions is not available", e);
      return Integer.MAX_VALUE;
    }
  }

  private static <T> T get(KafkaFuture<T> future, long endNanos)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(Math.max(1, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
