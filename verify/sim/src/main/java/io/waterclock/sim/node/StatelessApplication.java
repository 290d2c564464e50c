package io.waterclock.sim.node;

import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.topology.scheduler.count.CountReports;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** An application whose tasks read one topic and keep no state, in one life of a process. */
abstract class StatelessApplication implements Application {
  final TaskEnvironment environment;
  private final String group;
  private final String prefix;
  private final String input;

  StatelessApplication(TaskEnvironment environment, String group, String prefix, String input) {
    this.environment = environment;
    this.group = group;
    this.prefix = prefix;
    this.input = input;
  }

  /** Counts that nothing reads. */
  static <C> CountReports<C> unread() {
    return new CountReports<>() {
      @Override
      public void assigned(TaskId task, C counts) {}

      @Override
      public void revoked(TaskId task) {}
    };
  }

  abstract Processor<byte[], byte[], byte[], Object> processor();

  /** The timestamp from which a task reads a partition without a committed offset. */
  abstract long beginsMs();

  /**
   * @param value of the record, or what says where it goes
   */
  abstract void send(
      Record<?, ?> record, byte[] key, Object value, String child, StreamTask.Host thread);

  @Override
  public final String group() {
    return group;
  }

  @Override
  public final String prefix() {
    return prefix;
  }

  @Override
  public final List<String> producers() {
    return List.of(prefix);
  }

  @Override
  public final long commitIntervalMs() {
    return 100;
  }

  @Override
  public final StreamTask open(int partition, StreamTask.Host thread) {
    return new Task(thread, partition);
  }

  @Override
  public final long wakeMs(long tasksWakeMs) {
    return tasksWakeMs;
  }

  private final class Task extends StreamTask {
    Task(StreamTask.Host thread, int partition) {
      super(thread, group, List.of(input), partition);
    }

    @Override
    boolean restoreSome() {
      return true;
    }

    @Override
    ToLongFunction<PartitionLog> reset() {
      return log -> log.firstSince(beginsMs());
    }

    @Override
    Processor<byte[], byte[], byte[], Object> newProcessor() {
      return processor();
    }

    @Override
    void punctuate() {
      idleFor(Duration.ofMillis(Long.MAX_VALUE)); // it only reads
    }

    @Override
    public LoggedStore store(String name) {
      throw new IllegalArgumentException(group + " has no store " + name);
    }

    @Override
    public void send(Record<?, ?> record, String child) {
      byte[] key = record.key() instanceof byte[] given ? given : new byte[0];
      StatelessApplication.this.send(record, key, record.value(), child, thread);
    }
  }
}
