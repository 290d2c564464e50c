package io.waterclock.client.worker;

import io.waterclock.client.payload.Payloads;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.log.SafeLogger;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;

/** An attempt that a thread of the worker runs. Thread-safe. */
final class ActiveRun implements Run {
  /** What the worker remembers of schedules from run to run. */
  interface Checkpoints {
    Optional<byte[]> checkpoint(String scheduleId);

    /** Remembers it, and returns what waits until it is stored. */
    Runnable leave(Fire fire, ConsumerRecord<byte[], byte[]> record, byte[] checkpoint);
  }

  private static final Logger LOG = SafeLogger.of(ActiveRun.class);

  private final BufferedFire<?> work;
  private final ConsumerRecord<byte[], byte[]> record;
  private final int attempt;
  private final Thread thread;
  private final Checkpoints memory;
  private final Payloads payloads;
  private final BiConsumer<String, Optional<Schedule>> definitions;
  private final List<Runnable> actions = new ArrayList<>();
  private boolean cancelled;
  private boolean over;
  private boolean leftCheckpoint;
  private Optional<String> output = Optional.empty();
  private Optional<String> dropReason = Optional.empty();

  /**
   * @param thread the thread that runs it
   * @param definitions writes a definition, or a delete
   */
  ActiveRun(
      BufferedFire<?> work,
      ConsumerRecord<byte[], byte[]> record,
      Thread thread,
      Checkpoints memory,
      Payloads payloads,
      BiConsumer<String, Optional<Schedule>> definitions) {
    this.work = work;
    this.record = record;
    this.attempt = work.attempt();
    this.thread = thread;
    this.memory = memory;
    this.payloads = payloads;
    this.definitions = definitions;
  }

  @Override
  public Fire fire() {
    return work.fire();
  }

  @Override
  public String fireKey() {
    return Partitions.key(record);
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public Object payloadAs(Type type) {
    return type == String.class
        ? new String(payload(), StandardCharsets.UTF_8)
        : payloads.read(payload(), type, fireKey());
  }

  @Override
  public Optional<Collapsed> collapsed() {
    return work.collapsed();
  }

  @Override
  public Optional<Instant> deadline() {
    return work.deadline();
  }

  @Override
  public synchronized boolean isCancelled() {
    return cancelled;
  }

  @Override
  public synchronized void onCancel(Runnable action) {
    if (cancelled) {
      call(List.of(action));
    } else {
      actions.add(action);
    }
  }

  @Override
  public Optional<byte[]> checkpoint() {
    return memory.checkpoint(work.fire().getScheduleId());
  }

  /**
   * The attempt's lock is free while this waits for the brokers, so the attempt can be cancelled or
   * abandoned meanwhile. The worker's memory has the checkpoint before that; an attempt that is
   * over changes nothing there.
   */
  @Override
  public void leaveCheckpoint(byte[] checkpoint) {
    if (checkpoint.length > MAX_CHECKPOINT) {
      throw new IllegalArgumentException(
          "a checkpoint of %s bytes is too large: the limit is %s. Keep a reference to larger data"
              .formatted(checkpoint.length, MAX_CHECKPOINT));
    }
    remember(checkpoint).ifPresent(Runnable::run);
  }

  private synchronized Optional<Runnable> remember(byte[] checkpoint) {
    if (over) {
      return Optional.empty();
    }
    Runnable store = memory.leave(work.fire(), record, checkpoint);
    leftCheckpoint = true;
    return Optional.of(store);
  }

  @Override
  public synchronized void output(String text) {
    output = Optional.of(text);
  }

  @Override
  public void put(String id, ScheduleBuilder definition) {
    define(id, Optional.of(definition.build()));
  }

  @Override
  public void delete(String id) {
    define(id, Optional.empty());
  }

  /** The attempt's lock is free while this waits for the brokers. */
  private void define(String id, Optional<Schedule> definition) {
    synchronized (this) {
      if (over) {
        throw new IllegalStateException(
            "this attempt of " + fireKey() + " is over and changes no schedule any more");
      }
    }
    definitions.accept(id, definition);
  }

  @Override
  public synchronized void drop(String reason) {
    dropReason = Optional.of(reason);
  }

  /** True once it has left a checkpoint for the next run. */
  synchronized boolean hasLeftCheckpoint() {
    return leftCheckpoint;
  }

  synchronized Optional<String> output() {
    return output;
  }

  synchronized Optional<String> dropReason() {
    return dropReason;
  }

  /** Asks the handler to end: runs its cancel actions and interrupts its thread. */
  synchronized void cancel() {
    if (over || cancelled) {
      return;
    }
    cancelled = true;
    if (!actions.isEmpty()) {
      call(List.copyOf(actions));
    }
    thread.interrupt();
  }

  /**
   * Stops waiting for this attempt: its thread ends when the handler ends.
   *
   * @return false if the attempt has just ended
   */
  synchronized boolean abandon() {
    boolean isFirst = !over;
    over = true;
    return isFirst;
  }

  /**
   * Records that the handler has ended. Its thread calls this; the worker does not interrupt it
   * from now on.
   *
   * @return false if the worker has abandoned the attempt
   */
  synchronized boolean end() {
    Thread.interrupted();
    return abandon();
  }

  Thread thread() {
    return thread;
  }

  /**
   * Runs the actions outside the watchdog's thread: an action that hangs must not delay other
   * deadlines.
   */
  private void call(List<Runnable> toDo) {
    Thread caller =
        new Thread(
            () -> {
              for (Runnable action : toDo) {
                try {
                  action.run();
                } catch (RuntimeException e) {
                  LOG.warn("A cancel action of {} has failed", fireKey(), e);
                }
              }
            },
            "waterclock-worker-cancel");
    caller.setDaemon(true);
    caller.start();
  }
}
