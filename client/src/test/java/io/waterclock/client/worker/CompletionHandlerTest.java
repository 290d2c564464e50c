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
import io.waterclock.client.rules.RetryPlan;
import io.waterclock.client.rules.RunPolicy;
import io.waterclock.client.rules.Turns;
import io.waterclock.client.worker.brokers.ConfirmedOutbox;
import io.waterclock.client.worker.brokers.MemoryTopic;
import io.waterclock.client.worker.brokers.Outbox;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CompletionHandlerTest {
  private static final Topics TOPICS = Topics.ofDefault();
  private static final Instant TEN = Instant.parse("2026-11-21T10:00:00Z");
  private static final InstantSource CLOCK = InstantSource.fixed(TEN);
  private static final FireHandler HANDLER = run -> {};

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final Outbox outbox =
      new Outbox(
          producer,
          failure -> {
            throw new AssertionError(failure);
          });
  private final ConfirmedOutbox confirmed = new ConfirmedOutbox(outbox);
  private final WorkerConfig config =
      FireWorker.builder("unused:9092", "group").onAny(HANDLER).config();
  private final WorkerMemory memory =
      new WorkerMemory(outbox, MemoryTopic.of(TOPICS, Map.of()), Map.of(), "group", true);
  private final RetryTopic retries = new RetryTopic(confirmed, TOPICS, "group");
  private final WorkQueue queue = queue();
  private final AssignedPartition source = queue.open(Backlog.NONE, 0);
  private final CompletionHandler completionHandler =
      new CompletionHandler(
          new WorkerContext(
              config, queue, confirmed, memory, retries, CLOCK, () -> true, status -> {}),
          new OutcomeReporter(
              outbox, TOPICS.outcomes(), "worker", Reporting.RESULTS, Optional.empty()),
          new DeadLetterTopic(confirmed, TOPICS.dlq(), "group", Optional.empty()));

  private WorkQueue queue() {
    FireBuffer<HandledRecord> buffer = new FireBuffer<>(10, Map.of(), Fire::getScheduleId);
    Turns<HandledRecord> turns =
        new Turns<>(
            buffer,
            new InMemoryDeduplicator(10),
            memory::lastStart,
            Duration.ofSeconds(5),
            new SplittableRandom(1),
            memory);
    return new WorkQueue(
        buffer,
        turns,
        memory,
        new Payloads(JacksonMapper.standard()),
        (id, definition) -> {},
        confirmed::isFull,
        CLOCK);
  }

  @AfterEach
  void close() {
    producer.close();
  }

  private BufferedFire<HandledRecord> begin(RetryPlan plan) {
    retries.found(1);
    Fire fire =
        TestFires.of("a", TEN, Duration.ofHours(1), definition -> definition.setMaxAttempts(1));
    byte[] key = "a".getBytes(UTF_8);
    BufferedFire<HandledRecord> work =
        new BufferedFire<>(
            source,
            0,
            fire,
            RunPolicy.of(fire).withRetry(plan),
            new HandledRecord(new ConsumerRecord<>(TOPICS.fires(), 0, 0, key, key), HANDLER));
    assertThat(queue.add(List.of(work))).isEmpty();
    queue.passed(source, 1);
    assertThat(queue.take().orElseThrow().work()).isSameAs(work);
    return work;
  }

  @Test
  void a_fire_that_waits_is_finished_when_its_failure_is_reported_too() {
    BufferedFire<HandledRecord> work = begin(RetryPlan.of(Duration.ofHours(1)));
    completionHandler.failed(work, Optional.empty(), new IllegalStateException("down"));
    assertThat(producer.history())
        .extracting(ProducerRecord::topic)
        .containsExactly(TOPICS.later());
    assertThat(producer.completeNext()).isTrue();
    confirmed.attend(Duration.ZERO);
    assertThat(producer.history())
        .extracting(ProducerRecord::topic)
        .containsExactly(TOPICS.later(), TOPICS.outcomes());
    assertThat(queue.progress(source).committable()).as("before the report").isZero();
    assertThat(producer.completeNext()).isTrue();
    assertThat(queue.progress(source).committable()).isEqualTo(1);
    Outcome outcome = RecordCodecs.outcome().decode(producer.history().get(1).value());
    assertThat(outcome.getState()).isEqualTo(OutcomeState.FAILED);
    assertThat(outcome.getRetryAt()).isAfter(TEN);
  }

  @Test
  void a_fire_that_is_given_up_is_finished_when_its_dead_letter_is_written_too() {
    BufferedFire<HandledRecord> work = begin(RetryPlan.none());
    completionHandler.failed(work, Optional.empty(), new GiveUpException("no customer 17"));
    assertThat(producer.history())
        .extracting(ProducerRecord::topic)
        .containsExactly(TOPICS.outcomes(), TOPICS.dlq());
    assertThat(producer.completeNext()).isTrue();
    assertThat(queue.progress(source).committable()).as("before the dead letter").isZero();
    assertThat(producer.completeNext()).isTrue();
    confirmed.attend(Duration.ZERO);
    assertThat(queue.progress(source).committable()).isEqualTo(1);
  }
}
