package io.waterclock.console.jobs;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;

/** One piece of work of one person. Keeps the work until it begins or is cancelled. Thread-safe. */
public final class Job implements Work.Progress, Runnable {
  private static final Logger LOG = SafeLogger.of(Job.class);

  public enum State {
    WAITING,
    RUNNING,
    DONE,
    CANCELLED,
    FAILED;

    /** Whether it goes no further. */
    public boolean isOver() {
      return this != WAITING && this != RUNNING;
    }
  }

  private final String id;
  private final String kind;
  private final String person;
  private final Instant startedAt;
  private Optional<Work> work;
  private State state = State.WAITING;
  private long done;
  private long total;
  private boolean cancelled;
  private Optional<String> result = Optional.empty();
  private Optional<String> problem = Optional.empty();

  Job(String id, String kind, String person, Instant startedAt, Work work) {
    this.id = id;
    this.kind = kind;
    this.person = person;
    this.startedAt = startedAt;
    this.work = Optional.of(work);
  }

  /**
   * A job at one moment.
   *
   * @param result JSON; present when it is done, or cancelled with a part of its result
   */
  public record Snapshot(
      @JsonProperty("job") String id,
      String kind,
      Instant startedAt,
      State state,
      long done,
      long total,
      Optional<String> result,
      Optional<String> problem) {}

  public String id() {
    return id;
  }

  boolean isOf(String name) {
    return person.equals(name);
  }

  public synchronized Snapshot snapshot() {
    return new Snapshot(id, kind, startedAt, state, done, total, result, problem);
  }

  synchronized boolean isOver() {
    return state.isOver();
  }

  synchronized long size() {
    return result.map(String::length).orElse(0);
  }

  /** Asks it to end; it does so at its next look, or at once if it waits. */
  synchronized void cancel() {
    cancelled = true;
    if (state == State.WAITING) {
      state = State.CANCELLED;
      work = Optional.empty();
    }
  }

  @Override
  public synchronized void at(long now, long all) {
    done = now;
    total = all;
  }

  @Override
  public synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Does the work, unless it was cancelled before. */
  @Override
  public void run() {
    begin().ifPresent(this::run);
  }

  private void run(Work begun) {
    try {
      ObjectNode found = begun.run(this);
      end(Optional.of(found.toString()), Optional.empty());
    } catch (RuntimeException | Error e) {
      String why = FailureText.of(e);
      end(Optional.empty(), Optional.of(why));
      LOG.warn("A job of the console failed", e);
      if (e instanceof Error error) {
        throw error;
      }
    }
  }

  private synchronized Optional<Work> begin() {
    Optional<Work> begun = work;
    work = Optional.empty();
    if (begun.isPresent()) {
      state = State.RUNNING;
    }
    return begun;
  }

  private synchronized void end(Optional<String> found, Optional<String> why) {
    result = found;
    problem = why;
    state = why.isPresent() ? State.FAILED : cancelled ? State.CANCELLED : State.DONE;
  }
}
