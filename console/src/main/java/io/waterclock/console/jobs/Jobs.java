package io.waterclock.console.jobs;

import io.waterclock.schemas.SafeLogger;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.common.utils.ThreadUtils;
import org.slf4j.Logger;

/**
 * Runs jobs on threads of its own, two at a time. A person has at most {@value #MOST_OF_ONE} that
 * are not over, everyone together at most {@value #MOST_OPEN}; the newest {@value #MOST_KEPT} and
 * their results are kept. Each person sees only their own. Thread-safe.
 */
public final class Jobs implements AutoCloseable {
  private static final Logger LOG = SafeLogger.of(Jobs.class);
  private static final int AT_ONCE = 2;
  private static final int MOST_OF_ONE = 2;
  private static final int MOST_OPEN = 8;
  private static final int MOST_KEPT = 16;

  private final InstantSource clock;
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          AT_ONCE, ThreadUtils.createThreadFactory("waterclock-console-job-%d", true));

  public Jobs(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Starts a job; empty if too many are under way.
   *
   * @param kind for people
   */
  public synchronized Optional<Job> start(String kind, String person, Work work) {
    List<Job> open = jobs.values().stream().filter(job -> !job.isOver()).toList();
    if (open.size() >= MOST_OPEN
        || open.stream().filter(job -> job.isOf(person)).count() >= MOST_OF_ONE) {
      return Optional.empty();
    }
    Job job = new Job(UUID.randomUUID().toString(), kind, person, clock.instant());
    jobs.put(job.id(), job);
    List<Job> over = new ArrayList<>(jobs.values());
    over.removeIf(one -> !one.isOver());
    over.stream().limit(Math.max(0, jobs.size() - MOST_KEPT)).map(Job::id).forEach(jobs::remove);
    threads.execute(() -> run(job, work));
    return Optional.of(job);
  }

  private static void run(Job job, Work work) {
    try {
      job.run(work);
    } catch (RuntimeException e) {
      LOG.warn("A job of the console failed", e);
    }
  }

  /** A job of a person. */
  public synchronized Optional<Job> find(String id, String person) {
    return Optional.ofNullable(jobs.get(id)).filter(job -> job.isOf(person));
  }

  /** Ends all jobs. */
  @Override
  public void close() {
    List<Job> all;
    synchronized (this) {
      all = List.copyOf(jobs.values());
    }
    all.forEach(Job::cancel);
    threads.shutdownNow();
  }
}
