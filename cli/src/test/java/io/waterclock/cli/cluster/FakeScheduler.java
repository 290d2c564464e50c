package io.waterclock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Answers requests with prepared answers, and remembers the requests. */
public final class FakeScheduler implements AutoCloseable {
  private final Broker broker;
  private final Topics topics;
  private final BiFunction<String, Answer.Builder, Answer> reply;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<ConsumerRecord<byte[], byte[]>> seen = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::work, "fake-scheduler");
  private volatile boolean closed;

  /** Starts to answer; {@code reply} gets the schedule id and an answer without a verdict. */
  public FakeScheduler(
      Broker broker, Topics topics, BiFunction<String, Answer.Builder, Answer> reply) {
    this.broker = broker;
    this.topics = topics;
    this.reply = reply;
    this.consumer =
        new KafkaConsumer<>(
            new HashMap<>(broker.clients()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    thread.start();
  }

  public List<ConsumerRecord<byte[], byte[]>> seen() {
    return seen;
  }

  private void work() {
    List<TopicPartition> inputs =
        Stream.of(topics.schedules(), topics.commands())
            .flatMap(
                topic ->
                    IntStream.range(0, Broker.PARTITIONS)
                        .mapToObj(p -> new TopicPartition(topic, p)))
            .toList();
    consumer.assign(inputs);
    consumer.seekToBeginning(inputs);
    while (!closed) {
      for (ConsumerRecord<byte[], byte[]> request : consumer.poll(Duration.ofMillis(50))) {
        if (request.headers().lastHeader(HeaderNames.CORRELATION_ID) != null) {
          seen.add(request);
          answer(request);
        }
      }
    }
    consumer.close();
  }

  private void answer(ConsumerRecord<byte[], byte[]> request) {
    Map<String, String> headers = new HashMap<>();
    request
        .headers()
        .forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
    String correlationId = requireNonNull(headers.get(HeaderNames.CORRELATION_ID));
    String id = new String(request.key(), UTF_8);
    Answer answer =
        reply.apply(id, Answer.newBuilder().setCorrelationId(correlationId).setScheduleId(id));
    try {
      broker.write(
          new ProducerRecord<>(
              topics.answers(),
              Integer.valueOf(requireNonNull(headers.get(HeaderNames.ANSWER_PARTITION))),
              correlationId.getBytes(UTF_8),
              RecordCodecs.answer().encode(answer, WireFormat.AVRO)));
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
