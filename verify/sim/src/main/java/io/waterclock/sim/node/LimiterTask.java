package io.waterclock.sim.node;

import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.limiter.LimiterTopology;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;

/** A task of the limiter, whose disk is lost with its process: it restores all of its state. */
final class LimiterTask extends StreamTask {
  private static final int RESTORE = 2_000;

  /** What all tasks of a process share. */
  interface Limits {
    /** A processor for a task. */
    Processor<byte[], byte[], byte[], Object> processor(StreamTask task);

    /** Reads what the topic of limits has got. */
    void read(TaskProcessorContext.Inside task);
  }

  private final Limits limits;
  private final Place changelog;
  private final LoggedStore store;
  private final long restoreTo;
  private long restored;

  LimiterTask(StreamTask.Host thread, Limits limits, int partition) {
    super(
        thread,
        TaskEnvironment.LIMITERS,
        List.of(thread.environment().settings().channels().topics().waiting()),
        partition);
    this.limits = limits;
    this.changelog = new Place(TaskEnvironment.changelog(LimiterTopology.STORE), partition);
    this.store = new LoggedStore(LimiterTopology.STORE, environment.fault(), this::log);
    PartitionLog log = environment.broker().log(changelog);
    this.restored = log.start();
    this.restoreTo = log.highWatermark();
  }

  private void log(Bytes key, Optional<byte[]> value) {
    environment
        .fault()
        .log(LimiterTopology.STORE, key, value)
        .ifPresent(logged -> thread.append(changelog, Message.of(key.get(), logged, now())));
  }

  @Override
  boolean restoreSome() {
    if (restored < restoreTo) {
      PartitionLog log = environment.broker().log(changelog);
      PartitionLog.Fetched fetched = log.fetch(Math.max(restored, log.start()), RESTORE);
      for (LogRecord record : fetched.records()) {
        if (environment.fault().restores(LimiterTopology.STORE, record)) {
          store.restore(Bytes.wrap(record.key()), record.value().orElse(null));
        }
      }
      restored = fetched.next();
    }
    return restored >= restoreTo;
  }

  @Override
  ToLongFunction<PartitionLog> reset() {
    return PartitionLog::start;
  }

  @Override
  Processor<byte[], byte[], byte[], Object> newProcessor() {
    return limits.processor(this);
  }

  @Override
  void punctuate() {
    limits.read(this);
    super.punctuate();
  }

  @Override
  public LoggedStore store(String name) {
    return store;
  }
}
