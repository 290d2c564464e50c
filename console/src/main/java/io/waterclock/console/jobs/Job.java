package io.waterclock.console.jobs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/** One piece of work of one person. Thread-safe. */
public final class Job implements Work.Progress {
  /** Where a job is in its life. */
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
  private State state = State.WAITING;
  private long done;
  private long total;
  private boolean cancelled;
  private Optional<ObjectNode> result = Optional.empty();
  private Optional<String> problem = Optional.empty();

  Job(String id, String kind, String person, Instant startedAt) {
    this.id = id;
    this.kind = kind;
    this.person = person;
    this.startedAt = startedAt;
  }

  /**
   * A job at one moment.
   *
   * @param result present when it is done, or cancelled with a part of its result
   * @param problem why it failed
   */
  public record Snapshot(
      String id,
      String kind,
      Instant startedAt,
      State state,
      long done,
      long total,
      Optional<ObjectNode> result,
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

  /** Asks it to end; it does so at its next look. */
  public synchronized void cancel() {
    cancelled = true;
    if (state == State.WAITING) {
      state = State.CANCELLED;
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
  void run(Work work) {
    if (!begin()) {
      return;
    }
    try {
      ObjectNode found = work.run(this);
      end(Optional.of(found), Optional.empty());
    } catch (RuntimeException | Error e) {
      String why = Optional.ofNullable(e.getMessage()).orElseGet(e::toString);
      end(Optional.empty(), Optional.of(why));
      throw e;
    }
  }

  private synchronized boolean begin() {
    if (cancelled) {
      return false;
    }
    state = State.RUNNING;
    return true;
  }

  private synchronized void end(Optional<ObjectNode> found, Optional<String> why) {
    result = found;
    problem = why;
    state = why.isPresent() ? State.FAILED : cancelled ? State.CANCELLED : State.DONE;
  }
}
