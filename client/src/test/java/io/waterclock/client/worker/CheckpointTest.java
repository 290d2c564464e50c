package io.waterclock.client.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.TestFires;
import io.waterclock.client.payload.JacksonMapper;
import io.waterclock.client.payload.Payloads;
import io.waterclock.client.rules.AssignedPartition;
import io.waterclock.client.rules.Backlog;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.FireBuffer;
import io.waterclock.client.rules.RunPolicy;
import io.waterclock.client.worker.brokers.MemoryTopic;
import io.waterclock.client.worker.brokers.Outbox;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checkpoints that cannot be stored yet, because the brokers do not answer. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CheckpointTest {
  /** A loaded machine may take long. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Instant TEN = Instant.parse("2026-11-21T10:00:00Z");

  private final CountDownLatch answer = new CountDownLatch(1);
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final WorkerMemory memory =
      new WorkerMemory(
          new Outbox(producer, failure -> {}),
          new MemoryTopic("waterclock.workers", this::awaitAnswer),
          Map.of(),
          "group",
          true);
  private final AssignedPartition source =
      new FireBuffer<HandledRecord>(10, Map.of(), Fire::getScheduleId).open(Backlog.NONE, 0);

  /** Waits however often it is interrupted. */
  private int awaitAnswer() {
    boolean wasInterrupted = false;
    while (true) {
      try {
        answer.await();
        break;
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }

  @AfterEach
  void brokersAnswer() {
    answer.countDown();
  }

  private ActiveRun run(int offset) {
    Fire fire = TestFires.of("a", TEN.plusSeconds(offset), Duration.ofMinutes(1), definition -> {});
    byte[] key = TestFires.key(fire).text().getBytes(UTF_8);
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("waterclock.fires", 0, offset, key, key);
    BufferedFire<HandledRecord> work =
        new BufferedFire<>(
            source, offset, fire, RunPolicy.of(fire), new HandledRecord(record, run -> {}));
    return new ActiveRun(
        work,
        record,
        Thread.currentThread(),
        memory,
        new Payloads(JacksonMapper.standard()),
        (id, definition) -> {});
  }

  /** The handler's thread, which has left the checkpoint and waits for the brokers. */
  private Thread leave(ActiveRun run, String checkpoint) {
    Thread handler = new Thread(() -> run.leaveCheckpoint(checkpoint.getBytes(UTF_8)));
    handler.setDaemon(true);
    handler.start();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                memory
                    .checkpoint("a")
                    .filter(left -> checkpoint.equals(new String(left, UTF_8)))
                    .isPresent());
    return handler;
  }

  private List<String> stored() {
    return producer.history().stream()
        .map(record -> RecordCodecs.outcome().decode(record.value()).getCheckpoint())
        .map(checkpoint -> new String(WorkerMemory.bytes(checkpoint), UTF_8))
        .toList();
  }

  @Test
  void a_run_is_cancelled_and_abandoned_while_its_checkpoint_waits_for_the_brokers()
      throws Exception {
    ActiveRun run = run(0);
    Thread handler = leave(run, "half");
    run.cancel();
    assertThat(Thread.interrupted()).as("the thread of the run").isTrue();
    assertThat(run.isCancelled()).isTrue();
    assertThat(run.abandon()).isTrue();
    answer.countDown();
    handler.join();
    assertThat(stored()).as("the next run finds it").containsExactly("half");
  }

  @Test
  void a_checkpoint_that_waited_does_not_replace_that_of_a_later_run() throws Exception {
    ActiveRun old = run(0);
    Thread first = leave(old, "old");
    assertThat(old.abandon()).isTrue();
    Thread second = leave(run(1), "new");
    answer.countDown();
    first.join();
    second.join();
    assertThat(stored()).containsExactly("new");
  }

  @Test
  void a_checkpoint_that_waited_until_its_partition_was_handed_back_is_not_stored()
      throws Exception {
    Thread handler = leave(run(0), "old");
    memory.forget(List.of(0));
    answer.countDown();
    handler.join();
    assertThat(stored()).isEmpty();
  }

  @Test
  void an_abandoned_run_leaves_no_checkpoint() {
    ActiveRun run = run(0);
    assertThat(run.abandon()).isTrue();
    run.leaveCheckpoint("late".getBytes(UTF_8));
    assertThat(memory.checkpoint("a")).isEmpty();
    assertThat(run.hasLeftCheckpoint()).isFalse();
  }
}
