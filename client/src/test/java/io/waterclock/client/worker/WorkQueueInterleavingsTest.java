package io.waterclock.client.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.TestFires;
import io.waterclock.client.dedup.InMemoryDeduplicator;
import io.waterclock.client.payload.JacksonMapper;
import io.waterclock.client.payload.Payloads;
import io.waterclock.client.rules.AssignedPartition;
import io.waterclock.client.rules.Backlog;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.FireBuffer;
import io.waterclock.client.rules.RunPolicy;
import io.waterclock.client.rules.Turn;
import io.waterclock.client.rules.Turns;
import io.waterclock.client.worker.brokers.MemoryTopic;
import io.waterclock.client.worker.brokers.Outbox;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One thread reads fires, others run them, fail and try again, and one commits: each fire succeeds
 * once, no schedule runs twice at a time, the runs of a schedule keep their order, and no offset is
 * committed before its fire has ended. {@code -Dwaterclock.interleavings=N} runs N fires.
 */
@Timeout(600)
class WorkQueueInterleavingsTest {
  private static final int FIRES = Integer.getInteger("waterclock.interleavings", 20_000);
  private static final int THREADS = 4;
  private static final int SCHEDULES = 7;
  private static final Instant TEN = Instant.parse("2026-11-21T10:00:00Z");
  private static final FireHandler HANDLER = run -> {};

  private final long seed = Long.getLong("waterclock.seed", 1);
  private final FireBuffer<HandledRecord> buffer =
      new FireBuffer<>(50, Map.of("slow", 2), Fire::getScheduleId);
  private volatile boolean isHeldUp;
  private final WorkQueue queue = queue();
  private final AssignedPartition source = queue.open(Backlog.NONE, 0);
  private final Map<String, Thread> running = new ConcurrentHashMap<>();
  private final Map<String, Long> last = new ConcurrentHashMap<>();
  private final Set<Long> succeeded = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

  private WorkQueue queue() {
    Outbox outbox =
        new Outbox(
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()),
            failure -> {});
    WorkerMemory memory =
        new WorkerMemory(
            outbox, MemoryTopic.of(Topics.ofDefault(), Map.of()), Map.of(), "group", true);
    Turns<HandledRecord> turns =
        new Turns<>(
            buffer,
            new InMemoryDeduplicator(FIRES),
            memory::lastStart,
            Duration.ofSeconds(5),
            new SplittableRandom(seed));
    return new WorkQueue(
        buffer,
        turns,
        memory,
        new Payloads(JacksonMapper.standard()),
        (id, definition) -> {},
        () -> isHeldUp,
        InstantSource.system());
  }

  private BufferedFire<HandledRecord> fire(long offset) {
    int schedule = (int) (offset % SCHEDULES);
    Fire fire =
        TestFires.of(
            "schedule" + schedule,
            TEN.plusSeconds(offset),
            Duration.ofMinutes(1),
            definition -> {
              definition.setBackoffMs(0);
              definition.setMaxAttempts(1_000);
              definition.setTimeoutNone(true);
              definition.setQueue(schedule < 3 ? "slow" : null);
            });
    byte[] key = Long.toString(offset).getBytes(UTF_8);
    ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("fires", 0, offset, key, key);
    return new BufferedFire<>(
        source, offset, fire, RunPolicy.of(fire), new HandledRecord(record, HANDLER));
  }

  @Test
  void each_fire_succeeds_once_in_the_order_of_its_schedule() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        ends.add(threads.submit(work(new SplittableRandom(seed + i))));
      }
      Future<?> commits = threads.submit(this::commit);
      read(new SplittableRandom(seed));
      assertThat(queue.awaitFinished(source, FIRES - 1L, Duration.ofMinutes(5)))
          .as("all has ended, waterclock.seed=%d: %s", seed, wrong)
          .isTrue();
      queue.stop();
      for (Future<?> end : ends) {
        end.get();
      }
      commits.get();
    } finally {
      threads.shutdownNow();
      assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(wrong).as("waterclock.seed=%d", seed).isEmpty();
    assertThat(succeeded).hasSize(FIRES);
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void while_too_much_is_unwritten_nothing_is_read_and_no_turn_begins() throws Exception {
    var unused = queue.add(List.of(fire(0)));
    isHeldUp = true;
    assertThat(queue.isCrowded(source)).isTrue();
    CompletableFuture<Optional<Turn<HandledRecord>>> taken = new CompletableFuture<>();
    Thread thread = new Thread(() -> taken.complete(queue.take()));
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING && !taken.isDone()) {
      Thread.onSpinWait();
    }
    assertThat(taken).isNotDone();
    isHeldUp = false;
    queue.settle(queue.mark(source, 1));
    assertThat(taken.get(4, TimeUnit.SECONDS)).isPresent();
    assertThat(queue.isCrowded(source)).isFalse();
  }

  /** As the thread that polls. */
  private void read(SplittableRandom random) throws InterruptedException {
    long offset = 0;
    while (offset < FIRES) {
      while (queue.isCrowded(source)) {
        queue.awaitRoom(List.of(source), Duration.ofSeconds(1));
      }
      List<BufferedFire<HandledRecord>> batch = new ArrayList<>();
      for (int i = random.nextInt(20); i >= 0 && offset < FIRES; i--) {
        batch.add(fire(offset++));
      }
      if (!queue.add(batch).isEmpty()) {
        wrong.add("a fire was left out");
      }
    }
  }

  /** As a thread that calls handlers. */
  private Callable<Void> work(SplittableRandom random) {
    return () -> {
      Optional<Turn<HandledRecord>> turn = queue.take();
      while (turn.isPresent()) {
        BufferedFire<HandledRecord> work = turn.get().work();
        String schedule = work.fire().getScheduleId();
        if (!(turn.get() instanceof Turn.Run)) {
          wrong.add(work.offset() + " did not run");
        }
        if (running.put(schedule, Thread.currentThread()) != null) {
          wrong.add(schedule + " ran twice at a time");
        }
        if (last.getOrDefault(schedule, -1L) > work.offset()) {
          wrong.add(schedule + " ran out of order");
        }
        last.put(schedule, work.offset());
        boolean fails = random.nextInt(10) == 0;
        running.remove(schedule);
        if (fails) {
          var unused = queue.failed(work, false);
          turn = queue.take();
        } else {
          if (!succeeded.add(work.offset())) {
            wrong.add(work.offset() + " succeeded twice");
          }
          turn = queue.doneAndTake(work, true);
        }
      }
      return null;
    };
  }

  private void commit() {
    Set<Long> unfinished = new HashSet<>();
    for (long committed = 0; committed < FIRES && wrong.isEmpty(); ) {
      long next = queue.progress(source).committable();
      for (long offset = committed; offset < next; offset++) {
        if (!succeeded.contains(offset)) {
          unfinished.add(offset);
        }
      }
      committed = next;
      Thread.onSpinWait();
    }
    if (!unfinished.isEmpty()) {
      wrong.add("committed before their end: " + unfinished);
    }
  }
}
