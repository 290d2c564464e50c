package io.waterclock.console.jobs;

import io.waterclock.schemas.threads.DaemonThreads;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs jobs on threads of its own, two at a time. A person has at most {@value #MOST_OF_ONE} that
 * are not over, everyone together at most {@value #MOST_OPEN}; the newest {@value #MOST_KEPT} and
 * their results are kept, up to {@value #MOST_CHARACTERS} characters of results when a job starts.
 * Each person sees only their own. Thread-safe.
 */
public final class Jobs implements AutoCloseable {
  private static final int AT_ONCE = 2;
  private static final int MOST_OF_ONE = 2;
  private static final int MOST_OPEN = 8;
  private static final int MOST_KEPT = 16;
  private static final long MOST_CHARACTERS = 32L << 20;

  private final InstantSource clock;
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          AT_ONCE,
          AT_ONCE,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          DaemonThreads.named("waterclock-console-job"));

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
    Job job = new Job(UUID.randomUUID().toString(), kind, person, clock.instant(), work);
    jobs.put(job.id(), job);
    forgetOldest();
    threads.execute(job);
    return Optional.of(job);
  }

  private void forgetOldest() {
    long characters = jobs.values().stream().mapToLong(Job::size).sum();
    for (Job job : List.copyOf(jobs.values())) {
      if (jobs.size() <= MOST_KEPT && characters <= MOST_CHARACTERS) {
        return;
      }
      if (job.isOver()) {
        jobs.remove(job.id());
        characters -= job.size();
      }
    }
  }

  public synchronized Optional<Job> find(String id, String person) {
    return Optional.ofNullable(jobs.get(id)).filter(job -> job.isOf(person));
  }

  /** Ends a job of a person; one that waits leaves the queue, and its work is freed. */
  public Optional<Job> cancel(String id, String person) {
    Optional<Job> found = find(id, person);
    found.ifPresent(Job::cancel);
    found.ifPresent(threads::remove);
    return found;
  }

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
