package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.guard.FreshEnds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A schedule that a client deletes, pauses or edits at any moment of a takeover or a stall does not
 * fire afterwards. {@code -Dwaterclock.seed=N} runs one trace, {@code -Dwaterclock.traces=N} that
 * many.
 */
final class TakeoverTracesTest {
  private static final int IN_THE_BUILD = 40 * Integer.getInteger("waterclock.depth", 1);
  private static final int MOST_REPORTED = 3;

  @Test
  void what_ends_during_a_takeover_or_a_stall_does_not_fire_afterwards() {
    Optional<Long> one = Optional.ofNullable(Long.getLong("waterclock.seed"));
    if (one.isPresent()) {
      new Trace(one.get()).play();
      return;
    }
    LongAdder fires = new LongAdder();
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    LongStream.range(0, Long.getLong("waterclock.traces", IN_THE_BUILD))
        .parallel()
        .filter(seed -> wrong.size() < MOST_REPORTED)
        .forEach(
            seed -> {
              try {
                fires.add(new Trace(seed).play());
              } catch (AssertionError e) {
                wrong.add("waterclock.seed=" + seed + "\n" + e.getMessage());
              }
            });
    assertThat(wrong).isEmpty();
    assertThat(fires.sum()).isGreaterThan(IN_THE_BUILD * 25L / 3);
  }

  /** One task, the clients that write to it, and a broker whose clock is the task's. */
  private static final class Trace {
    private static final Duration STEP = Duration.ofMillis(50);
    private static final List<String> IDS = IntStream.range(0, 6).mapToObj(i -> "id/" + i).toList();

    /** A fire that is due within this time after a confirmed record may still happen. */
    private static final Duration DELIVERY = Gate.STALL.plus(FreshEnds.FRESH);

    private final SplittableRandom random;
    private final SimulatedCluster cluster = new SimulatedCluster(1);
    private final StringBuilder story = new StringBuilder();
    private int produced;

    /**
     * From when on what fires must be what was written then.
     *
     * @param payload none when nothing may fire
     */
    private record Word(Instant confirmed, Optional<String> payload) {}

    private final Map<String, List<Word>> words = new HashMap<>();

    /** Steps for which the task reads nothing: the end of a transaction is waited for. */
    private int waits;

    /** Steps for which it does nothing at all: it is stopped. */
    private int stopped;

    Trace(long seed) {
      this.random = new SplittableRandom(seed);
    }

    int play() {
      IDS.forEach(this::define);
      for (int i = 0; i < 1_500; i++) {
        cluster.advance(STEP);
        if (random.nextInt(12) == 0) {
          write(IDS.get(random.nextInt(IDS.size())));
        }
        if (random.nextInt(120) == 0) {
          interrupt();
        }
        go();
      }
      judge();
      return cluster.fires().size();
    }

    private void interrupt() {
      int steps = random.nextInt(5) == 0 ? random.nextInt(20) : random.nextInt(300);
      switch (random.nextInt(3)) {
        case 0 -> {
          note("stopped for " + steps);
          stopped = steps;
        }
        case 1 -> {
          note("taken over at once");
          crash();
        }
        default -> {
          note("taken over, reads after " + steps);
          crash();
          waits = steps;
        }
      }
    }

    private void crash() {
      task().crash(random);
      assertThat(task().tooLate()).as("too late\n%s", story).isEmpty();
    }

    /** One round of a stream thread: it reads some, ticks, and commits as a rule. */
    private void go() {
      if (stopped > 0) {
        stopped--;
        return;
      }
      task().waitForTransaction(waits > 0);
      if (waits > 0) {
        waits--;
      } else {
        task().inputs().forEach(this::readSome);
      }
      task().tick();
      if (random.nextInt(4) > 0) {
        task().commit();
      }
    }

    private void readSome(String topic) {
      int left = 1 + random.nextInt(6);
      while (left > 0 && task().read(topic)) {
        left--;
      }
    }

    private void write(String id) {
      switch (random.nextInt(5)) {
        case 0 -> say(id, Optional.empty(), Optional.empty());
        case 1 -> say(id, Optional.of(json(id, ",\"enabled\":false")), Optional.empty());
        default -> define(id);
      }
    }

    private void define(String id) {
      String payload = "p" + produced;
      say(id, Optional.of(json(id, ",\"payload\":\"" + payload + "\"")), Optional.of(payload));
    }

    private static String json(String id, String more) {
      int period = 200 + 150 * Character.digit(id.charAt(id.length() - 1), 10);
      return "{\"every\":\"" + period + "ms\",\"catch_up\":\"replay\"" + more + "}";
    }

    private void say(String id, Optional<String> json, Optional<String> payload) {
      Instant now = Instant.ofEpochMilli(cluster.nowMs());
      note(id + " " + json.orElse("deleted"));
      cluster.produce(cluster.topics().schedules(), 0, id, json, now, "c-" + produced++);
      words.computeIfAbsent(id, any -> new ArrayList<>()).add(new Word(now, payload));
    }

    /** An edit leaves to the old definition what occurs up to its timestamp. */
    private void judge() {
      for (Fire fire : cluster.fires()) {
        String payload = payload(fire);
        boolean lawful =
            words.getOrDefault(fire.getScheduleId(), List.of()).stream()
                .filter(word -> word.confirmed().isBefore(fire.getDue().minus(DELIVERY)))
                .reduce((first, second) -> second)
                .filter(word -> !word.payload().equals(Optional.of(payload)))
                .filter(word -> !isNewer(fire.getScheduleId(), payload, word))
                .isEmpty();
        assertThat(lawful)
            .as(
                "%s\n%s %s due %s fired at %s",
                story, fire.getScheduleId(), payload, fire.getDue(), fire.getFiredAt())
            .isTrue();
      }
    }

    private boolean isNewer(String id, String payload, Word word) {
      return words.getOrDefault(id, List.of()).stream()
          .filter(other -> other.payload().equals(Optional.of(payload)))
          .anyMatch(other -> !other.confirmed().isBefore(word.confirmed()));
    }

    private static String payload(Fire fire) {
      byte[] bytes = new byte[fire.getSchedule().getPayload().remaining()];
      fire.getSchedule().getPayload().duplicate().get(bytes);
      return new String(bytes, StandardCharsets.UTF_8).replace("\"", "");
    }

    private SimulatedTask task() {
      return cluster.tasks().get(0);
    }

    private void note(String line) {
      story.append(Instant.ofEpochMilli(cluster.nowMs())).append(' ').append(line).append('\n');
    }
  }
}
