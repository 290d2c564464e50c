package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.store.ProgressStore;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** What is carried through the internal topic of strays, of a scheduler with one partition. */
final class StrayCarrierTest {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

  private final TaskContext task =
      TestTask.with(Stores.inMemoryKeyValueStore(ProgressStore.NAME).get());
  private final List<Sink> sent = new ArrayList<>();
  private final Strays strays =
      new Strays(
          task.settings(),
          task.partition().stores().strays(),
          task.encoder().records(),
          TestAdmission.deadLetters(task));
  private long offset;

  @Test
  void a_stray_is_carried_if_it_fits_to_the_byte() {
    int limit = task.settings().limits().maxStrayBytes() - Strays.OVERHEAD;
    int empty = carrier(Optional.of("a"), new byte[0]).length;
    send(new byte[limit - empty]);
    assertThat(sent).containsExactly(Sink.STRAYS, Sink.ORIGINS);

    sent.clear();
    send(new byte[limit - empty + 1]);
    assertThat(sent).containsExactly(Sink.DLQ);
  }

  @Test
  void what_is_no_stray_of_the_partition_is_a_dead_letter_and_not_admitted() {
    byte[] good = carrier(Optional.of("a"), new byte[0]);
    byte[] ofALaterVersion = good.clone();
    ofALaterVersion[0] = 2;

    assertThat(take(good, 0)).map(Inbound::keyText).contains("a");
    assertThat(sent).containsExactly(Sink.STRAYS);
    sent.clear();
    assertThat(take(new byte[0], 0)).isEmpty();
    assertThat(take(ofALaterVersion, 0)).isEmpty();
    assertThat(take(carrier(Optional.empty(), new byte[0]), 0)).isEmpty();
    assertThat(take(carrier(Optional.of("no id"), new byte[0]), 0)).isEmpty();
    assertThat(take(good, 1)).as("in a partition that is not its home").isEmpty();
    assertThat(sent).hasSize(5).containsOnly(Sink.DLQ);
  }

  private void send(byte[] value) {
    Inbound stray = record("waterclock.schedules", Optional.of("a"), value, 1);
    strays.send(stray, NOW).forEach(this::note);
  }

  private Optional<Inbound> take(byte[] carrier, int partition) {
    Strays.Arrived arrived =
        strays.take(record("waterclock.strays", Optional.of("carrier"), carrier, partition), NOW);
    arrived.effects().forEach(this::note);
    return arrived.stray();
  }

  private static byte[] carrier(Optional<String> key, byte[] value) {
    byte[] stray =
        InboundBytes.encode(
            new Inbound(
                key.map(id -> id.getBytes(UTF_8)),
                Optional.of(value),
                new RecordHeaders(),
                NOW,
                "waterclock.schedules",
                1,
                7));
    return ByteBuffer.allocate(1 + stray.length).put((byte) 1).put(stray).array();
  }

  private Inbound record(String topic, Optional<String> key, byte[] value, int partition) {
    return new Inbound(
        key.map(id -> id.getBytes(UTF_8)),
        Optional.of(value),
        new RecordHeaders(),
        NOW,
        topic,
        partition,
        ++offset);
  }

  private void note(Effect effect) {
    if (effect instanceof Effect.Send send) {
      sent.add(send.record().sink());
    } else {
      task.applier().apply(effect);
    }
  }
}
