package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.topology.explore.Explorer;
import io.waterclock.topology.scheduler.emit.Sink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Records of one schedule at home and elsewhere, two tasks, crashes and compaction, in every order:
 * the newest record is in force, the topic agrees, nothing is left elsewhere, and each record is
 * answered, once unless it is read again. {@code -Dwaterclock.model=N} explores N states.
 */
final class StrayModelTest {
  private static final int IN_THE_BUILD = 350 * Integer.getInteger("waterclock.depth", 1);
  private static final int OF_A_CONTROL = 20_000;

  private enum Event {
    PUT_AT_HOME,
    PUT_ELSEWHERE,
    /** Written by a client whose clock is behind. */
    PUT_ELSEWHERE_EARLIER,
    DELETE_AT_HOME,
    DELETE_ELSEWHERE,
    /** The task elsewhere reads a record of the schedules. */
    SEND,
    /** The task at home takes a stray. */
    TAKE,
    /** The task at home reads a record of the schedules. */
    READ,
    CRASH,
    COMPACT,
    /** Kafka has forgotten how far the tasks have read. */
    READ_AGAIN
  }

  /** What the product does, and faults that must be found. */
  private enum Variant {
    PRODUCT,
    STRAYS_ARE_LOST,
    BROKERS_SET_TIMESTAMPS,
    ORIGINS_KEEP_STRAYS,
    ORIGINS_HAVE_PLAIN_TOMBSTONES,
    CORRECTIONS_ARE_LOST,
    STRAYS_ARE_SENT_OUTSIDE_THE_TRANSACTION
  }

  @Test
  void the_newest_record_is_in_force_wherever_it_was_written() {
    explorer(Variant.PRODUCT).mustHold("Strays", IN_THE_BUILD);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PRODUCT")
  void each_planted_fault_is_found(Variant variant) {
    explorer(variant).mustBreak(variant, OF_A_CONTROL);
  }

  private static Explorer<Event> explorer(Variant variant) {
    return new Explorer<>(() -> new Partitions(variant), Event.class);
  }

  /** Two partitions; the schedule is at home in one of them. */
  private static final class Partitions implements Explorer.World<Event> {
    private static final String ID = "a";
    private static final int MOST_WRITTEN = 3;

    /**
     * A record of a client.
     *
     * @param payload empty for a tombstone
     */
    private record Word(Instant timestamp, Optional<String> payload) {}

    private final Variant variant;
    private final SimulatedCluster cluster = new SimulatedCluster(2);
    private final String schedules = cluster.topics().schedules();
    private final int home = cluster.home(ID.getBytes(StandardCharsets.US_ASCII));
    private final int elsewhere = 1 - home;
    private final List<Word> words = new ArrayList<>();
    private int readAgain;

    Partitions(Variant variant) {
      this.variant = variant;
      cluster.drain(); // until a crash, what a task reads acts at once
      cluster.tasks().forEach(task -> task.sabotage(new Planted()));
    }

    @Override
    public boolean play(Event event) {
      return switch (event) {
        case PUT_AT_HOME -> write(home, true, Duration.ZERO);
        case PUT_ELSEWHERE -> write(elsewhere, true, Duration.ZERO);
        case PUT_ELSEWHERE_EARLIER -> write(elsewhere, true, Duration.ofMillis(3));
        case DELETE_AT_HOME -> write(home, false, Duration.ZERO);
        case DELETE_ELSEWHERE -> write(elsewhere, false, Duration.ZERO);
        case SEND -> read(elsewhere, schedules);
        case TAKE -> read(home, cluster.topics().strays());
        case READ -> read(home, schedules);
        case CRASH -> crash();
        case COMPACT -> compact();
        case READ_AGAIN -> readAgain();
      };
    }

    private boolean write(int partition, boolean isPut, Duration behind) {
      cluster.advance(Duration.ofMillis(2));
      Optional<String> payload = isPut ? Optional.of("p" + words.size()) : Optional.empty();
      Word word = new Word(cluster.now().minus(behind), payload);
      Optional<String> json =
          payload.map(it -> "{\"at\":\"2099-01-01T00:00:00Z\",\"payload\":\"" + it + "\"}");
      Instant timestamp =
          variant == Variant.BROKERS_SET_TIMESTAMPS ? cluster.now() : word.timestamp();
      cluster.produce(schedules, partition, ID, json, timestamp, "r-" + words.size());
      words.add(word);
      return words.size() <= MOST_WRITTEN;
    }

    /** A transaction of one record. */
    private boolean read(int partition, String topic) {
      SimulatedTask task = cluster.tasks().get(partition);
      boolean hasRead = task.read(topic);
      task.commit();
      return hasRead;
    }

    private boolean crash() {
      for (SimulatedTask task : cluster.tasks()) {
        if (variant == Variant.STRAYS_ARE_SENT_OUTSIDE_THE_TRANSACTION) {
          task.inputs().forEach(task::read);
          task.commitRecords();
        }
        task.crash();
      }
      return true;
    }

    /** Only what was read: the scheduler requires a compaction lag of a week. */
    private boolean compact() {
      for (int i = 0; i < 2; i++) {
        for (String topic : List.of(schedules, cluster.topics().strays())) {
          cluster.log(topic, i).compact(cluster.tasks().get(i).committedPosition(topic));
        }
      }
      return true;
    }

    private boolean readAgain() {
      cluster.tasks().forEach(SimulatedTask::readAgain);
      return ++readAgain <= 1;
    }

    @Override
    public String fingerprint() {
      StringBuilder all = new StringBuilder().append(words).append(readAgain);
      for (int i = 0; i < 2; i++) {
        all.append(cluster.tasks().get(i).fingerprint());
        all.append(cluster.log(schedules, i)).append(cluster.log(cluster.topics().strays(), i));
      }
      return all.toString();
    }

    @Override
    public Optional<String> broken() {
      cluster.drain();
      cluster.advance(Duration.ofSeconds(1));
      cluster.drain();
      Optional<String> newest =
          words.stream()
              .reduce((a, b) -> b.timestamp().isAfter(a.timestamp()) ? b : a)
              .flatMap(Word::payload);
      Optional<String> inForce = cluster.tasks().get(home).definition(ID).map(StrayTrace::payload);
      Optional<String> inTopic = StrayTrace.last(cluster, ID).map(StrayTrace::payload);
      boolean isLeft =
          cluster.log(schedules, elsewhere).last(ID).filter(e -> e.value.isPresent()).isPresent();
      List<String> answered =
          cluster.answers().stream().map(Answer::getCorrelationId).sorted().toList();
      if (!inForce.equals(newest)) {
        return Optional.of("the newest is " + newest + ", but " + inForce + " is in force");
      }
      if (!inTopic.equals(inForce)) {
        return Optional.of(inForce + " is in force, but the topic says " + inTopic);
      }
      if (isLeft) {
        return Optional.of("a record is left elsewhere");
      }
      boolean isOnce = answered.size() == words.size() || readAgain > 0;
      return isOnce && answered.stream().distinct().count() == words.size()
          ? Optional.empty()
          : Optional.of("answered " + answered);
    }

    private final class Planted implements Sabotage {
      @Override
      public boolean sends(Sink sink, Record<?, ?> record) {
        boolean isCorrection = record.headers().lastHeader(HeaderNames.ORIGIN) != null;
        switch (variant) {
          case STRAYS_ARE_LOST -> {
            return sink != Sink.STRAYS;
          }
          case ORIGINS_KEEP_STRAYS -> {
            return sink != Sink.ORIGINS;
          }
          case CORRECTIONS_ARE_LOST -> {
            return !isCorrection;
          }
          case ORIGINS_HAVE_PLAIN_TOMBSTONES -> record.headers().remove(HeaderNames.MOVED);
          default -> {
            // a fault of another kind
          }
        }
        return true;
      }
    }
  }
}
