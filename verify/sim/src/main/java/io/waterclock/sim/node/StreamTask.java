package io.waterclock.sim.node;

import io.waterclock.schemas.HomePartition;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.emit.FirePartitioner;
import io.waterclock.topology.scheduler.emit.Sink;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * A task, as its thread drives it: gives the records of its inputs to the real processor, by
 * timestamp across the inputs. What it sends goes to the open transaction of its thread.
 */
abstract class StreamTask implements TaskProcessorContext.Inside {
  /** The thread that runs a task. */
  interface Host {
    TaskEnvironment environment();

    NodeClock clock();

    void note(String text);

    /** Appends to the open transaction. A producer reports a failure only at its next commit. */
    void append(Place place, Message message);
  }

  private static final long RESTORE_AGAIN_MS = 100;

  final Host thread;
  final TaskEnvironment environment;
  private final int partition;
  private final TaskInputs inputs;
  private final TaskProcessorContext<byte[], Object> context = new TaskProcessorContext<>(this);
  private @Nullable Processor<byte[], byte[], byte[], Object> processor;
  private boolean commitRequested;
  private long idleUntilMs;

  StreamTask(Host thread, String group, List<String> topics, int partition) {
    this.thread = thread;
    this.environment = thread.environment();
    this.partition = partition;
    this.inputs =
        new TaskInputs(
            environment, group, topics.stream().map(topic -> new Place(topic, partition)).toList());
  }

  @Override
  public final int partition() {
    return partition;
  }

  final NodeClock clock() {
    return thread.clock();
  }

  @Override
  public final long wallMs() {
    return clock().millis();
  }

  final long now() {
    return environment.now().getAsLong();
  }

  /** True once its state is restored, and its processor initialised. */
  final boolean isRunning() {
    return processor != null;
  }

  /** Restores some; true when all is restored. */
  abstract boolean restoreSome();

  abstract Processor<byte[], byte[], byte[], Object> newProcessor();

  /** Where it begins to read a partition without a committed offset. */
  abstract ToLongFunction<PartitionLog> reset();

  /** Restores some, and begins when all is restored; else it tries again a little later. */
  final void restore() {
    idleUntilMs = now() + RESTORE_AGAIN_MS;
    if (restoreSome() && inputs.canBegin()) {
      idleUntilMs = 0;
      inputs.begin(reset());
      processor = newProcessor();
      processor.init(context);
      thread.note("task " + partition + " runs");
    }
  }

  /** Fetches records of its inputs, at most so many of each. */
  final void fetch(int most) {
    inputs.fetch(most);
  }

  /** True while fetched records wait. */
  final boolean isBehind() {
    return inputs.isBehind();
  }

  /** The position is past an end, and every record that was fetched is processed. */
  final boolean isPast(Place place, long end) {
    return inputs.isPast(place, end);
  }

  /**
   * Processes the next fetched record.
   *
   * @return false if there was none
   */
  final boolean process() {
    Optional<TaskInputs.Next> next = inputs.take();
    if (next.isEmpty()) {
      return false;
    }
    context.process(
        Optional.ofNullable(processor).orElseThrow(), next.get().place(), next.get().record());
    inputs.processed(next.get());
    return true;
  }

  /** Its processor ticks, if it wants to. */
  void punctuate() {
    context.punctuate(wallMs());
  }

  @Override
  public final void requestCommit() {
    commitRequested = true;
  }

  final boolean wantsCommit() {
    return commitRequested;
  }

  final void idleFor(Duration time) {
    idleUntilMs = now() + Math.max(0, Math.min(time.toMillis(), 86_400_000L * 366));
  }

  /** When the task has something to do, in true time; now or earlier when it has it already. */
  final long wakeMs() {
    return isRunning() && (inputs.isBehind() || inputs.canFetch()) ? 0 : idleUntilMs;
  }

  /** Whether it has consumed anything since the last commit. */
  final boolean hasConsumed() {
    return inputs.hasConsumed();
  }

  /** What a commit stores: all that it has consumed since it began, as in Kafka Streams. */
  final Map<Place, Long> consumed() {
    return inputs.consumed();
  }

  /** Where it began to read. */
  final Map<Place, Long> beginnings() {
    return inputs.beginnings();
  }

  final void committed() {
    inputs.committed();
    commitRequested = false;
  }

  /** Closes the task after a commit: its state stays on the disk of its process. */
  void close() {
    closeDirty();
  }

  /** Closes the task, and forgets its state. */
  final void closeDirty() {
    if (processor != null) {
      processor.close();
      processor = null;
    }
  }

  /** To the topic of a sink of the product. */
  @Override
  public void send(Record<?, ?> record, String child) {
    Sink sink =
        Arrays.stream(Sink.values())
            .filter(each -> each.node().equals(child))
            .findFirst()
            .orElseThrow();
    int partitions = environment.settings().channels().partitions();
    Object value = record.value();
    byte @Nullable [] bytes = value instanceof Addressed to ? to.value() : (byte[]) value;
    byte[] key = record.key() instanceof byte[] given ? given : new byte[0];
    int to =
        value instanceof Addressed addressed
            ? Math.floorMod(addressed.partition(), partitions)
            : sink == Sink.FIRES
                ? firePartition(key, partitions)
                : HomePartition.of(key, partitions);
    Message message =
        new Message(key, bytes, new RecordHeaders(record.headers()), record.timestamp());
    environment
        .fault()
        .send(new Fault.Sent(sink, to, message, now()))
        .forEach(
            sent ->
                thread.append(
                    new Place(
                        sent.sink().topic(environment.settings().channels().topics()),
                        sent.partition() % partitions),
                    sent.message()));
  }

  private static int firePartition(byte[] key, int partitions) {
    return new FirePartitioner(partitions)
        .partitions("", key, new byte[0], partitions)
        .orElseThrow()
        .iterator()
        .next();
  }
}
