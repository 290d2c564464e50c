package io.waterclock.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.waterclock.topology.scheduler.count.CountReports;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.TaskId;

/**
 * The counters of an instance: the sums over its tasks since its start, revoked tasks included. The
 * increases of a task are added when its thread has committed. Thread-safe.
 *
 * @param <C> the counts of a task, which never decrease
 */
public final class Totals<C> implements CountReports<C> {
  /**
   * Adds a count of a task to a total of the instance, which outlives the task. For the task's
   * stream thread.
   */
  static final class Carry {
    private final LongSupplier count;
    private final LongConsumer total;
    private long carried;

    /**
     * @param count never decreases
     * @param total receives the increase since the last run
     */
    Carry(LongSupplier count, LongConsumer total) {
      this.count = count;
      this.total = total;
    }

    void run() {
      long now = count.getAsLong();
      if (now != carried) {
        total.accept(now - carried);
        carried = now;
      }
    }
  }

  private record Task(Thread thread, List<Carry> carries) {}

  private final MeterRegistry registry;
  private final List<Function<C, Stream<Carry>>> totals = new ArrayList<>();
  private final Map<TaskId, Task> tasks = new ConcurrentHashMap<>();

  Totals(MeterRegistry registry) {
    this.registry = registry;
  }

  void add(String name, Tags tags, String help, ToLongFunction<C> ofTask) {
    Counter counter =
        Counter.builder("waterclock." + name).tags(tags).description(help).register(registry);
    add(counts -> Stream.of(new Carry(() -> ofTask.applyAsLong(counts), counter::increment)));
  }

  void add(String name, String help, ToLongFunction<C> ofTask) {
    add(name, Tags.empty(), help, ofTask);
  }

  /** Adds a counter for each constant, with a label for it. */
  <E extends Enum<E>> void addEach(
      String name, String label, E[] constants, String help, ToLongBiFunction<C, E> ofTask) {
    for (E constant : constants) {
      Tags tags = Tags.of(label, Label.of(constant));
      add(name, tags, help, counts -> ofTask.applyAsLong(counts, constant));
    }
  }

  /** Adds totals of another kind. */
  void add(Function<C, Stream<Carry>> carries) {
    totals.add(carries);
  }

  /** The calling stream thread got a task. */
  @Override
  public void assigned(TaskId task, C counts) {
    List<Carry> carries = totals.stream().flatMap(total -> total.apply(counts)).toList();
    tasks.put(task, new Task(Thread.currentThread(), carries));
  }

  @Override
  public void revoked(TaskId task) {
    tasks.remove(task);
  }

  /** The calling stream thread has committed a transaction. */
  public void committed() {
    Thread thread = Thread.currentThread();
    for (Task task : tasks.values()) {
      if (task.thread() == thread) {
        task.carries().forEach(Carry::run);
      }
    }
  }
}
