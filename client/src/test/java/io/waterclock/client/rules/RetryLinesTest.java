package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.TestFires;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fires of a schedule keep their order while one of them waits: without Kafka. */
final class RetryLinesTest {
  private static final Instant TEN = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final RetryPlan PLAN =
      RetryPlan.of(Duration.ofSeconds(40), Duration.ofSeconds(90), Duration.ofMinutes(4)).inOrder();

  /** What waits in the topic later; of one instant, in the order of writing. */
  private record Waiting(Instant at, long number, Fire fire, PastAttempts past) {}

  private final Set<String> claimed = new HashSet<>();
  private final Map<String, RetryLines.Line> lines = new HashMap<>();
  private FireBuffer<String> buffer = new FireBuffer<>(5_000, Map.of(), Fire::getScheduleId);
  private Turns<String> turns = worker(1);
  private AssignedPartition source = buffer.open(Backlog.NONE, 0);
  private final PriorityQueue<Waiting> later =
      new PriorityQueue<>(Comparator.comparing(Waiting::at).thenComparingLong(Waiting::number));
  private final Map<String, List<Integer>> ended = new HashMap<>();
  private long offset;
  private long number;

  /** Knows the lines as another worker has stored them, as text. */
  private Turns<String> worker(long seed) {
    lines.replaceAll((id, line) -> RetryLines.Line.parse(line.text()).orElseThrow());
    return new Turns<>(
        buffer,
        new Turns.Claims() {
          @Override
          public boolean claim(String fireId) {
            return claimed.add(fireId);
          }

          @Override
          public void release(String fireId) {
            claimed.remove(fireId);
          }
        },
        schedule -> Optional.empty(),
        MINUTE,
        new SplittableRandom(seed),
        new RetryLines.Memory<>() {
          @Override
          public Optional<RetryLines.Line> line(String scheduleId) {
            return Optional.ofNullable(lines.get(scheduleId));
          }

          @Override
          public void line(BufferedFire<String> work, Optional<RetryLines.Line> line) {
            String id = work.fire().getScheduleId();
            line.ifPresentOrElse(known -> lines.put(id, known), () -> lines.remove(id));
          }
        });
  }

  private static Fire fire(String schedule, int n) {
    return TestFires.of(
        schedule,
        TEN.plusSeconds(n),
        Duration.ofSeconds(1),
        definition -> {
          definition.setMaxAttempts(1);
          definition.setTimeoutNone(true);
        });
  }

  private void arrives(Fire fire, PastAttempts past) {
    RunPolicy policy = RunPolicy.of(fire).withRetry(PLAN);
    buffer.add(new BufferedFire<>(source, offset++, fire, policy, past, ""));
  }

  /** Takes all turns of this moment. */
  private void work(Instant now, SplittableRandom random, int failsOneIn) {
    for (Optional<Turn<String>> turn = turns.next(now); turn.isPresent(); turn = turns.next(now)) {
      work(turn.get(), now, random, failsOneIn);
    }
  }

  private void work(Turn<String> turn, Instant now, SplittableRandom random, int failsOneIn) {
    BufferedFire<String> work = turn.work();
    if (turn instanceof Turn.Join<String> join) {
      PastAttempts past = PastAttempts.of(work.past().waits(), work.past().attempts());
      later.add(new Waiting(join.at().orElseThrow(), number++, work.fire(), past));
      turns.joined(work);
    } else if (turn instanceof Turn.Run && random.nextInt(failsOneIn) == 0) {
      RetryDecision decision = turns.failed(work, false, now).orElseThrow();
      if (decision instanceof RetryDecision.Wait wait) {
        PastAttempts past = PastAttempts.of(work.past().waits() + 1, work.attempt());
        if (random.nextBoolean()) { // another thread writes before this one
          turns.next(now).ifPresent(next -> work(next, now, random, failsOneIn));
        }
        later.add(new Waiting(wait.at(), number++, work.fire(), past));
      } else {
        end(work.fire());
      }
    } else {
      turns.done(work);
      if (turn instanceof Turn.Run) { // not a copy that is dropped
        end(work.fire());
      }
    }
  }

  private void end(Fire fire) {
    ended
        .computeIfAbsent(fire.getScheduleId(), id -> new ArrayList<>())
        .add((int) Duration.between(TEN, fire.getOccurrence()).toSeconds());
  }

  /**
   * Random failures, and workers that take over at random moments: all fires of a schedule end, in
   * their order, and no line is left.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void all_fires_end_in_their_order_however_often_they_fail(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int fires = 300;
    Instant now = TEN;
    for (int n = 0; n < fires || !later.isEmpty(); n++) {
      now = TEN.plusSeconds(n);
      // what is due returns in its order, and now and then a while later
      for (int most = random.nextInt(40);
          most > 0 && !later.isEmpty() && !later.peek().at().isAfter(now);
          most--) {
        Waiting back = later.poll();
        arrives(back.fire(), back.past());
        if (random.nextBoolean()) {
          work(now, random, 3);
        }
      }
      if (n < fires) {
        arrives(fire("a", n), PastAttempts.NONE);
        arrives(fire("b", n), PastAttempts.NONE);
      }
      work(now, random, 3);
      if (random.nextInt(20) == 0) {
        turns = worker(1);
        source = buffer.open(Backlog.NONE, offset);
      }
      assertThat(n).as("it ends").isLessThan(100_000);
    }
    for (String schedule : List.of("a", "b")) {
      assertThat(ended.get(schedule)).hasSize(fires).isSorted();
    }
    assertThat(lines).isEmpty();
  }

  @Test
  void other_schedules_go_on_and_a_line_is_bounded() {
    arrives(fire("a", 0), PastAttempts.NONE);
    work(TEN, new SplittableRandom(1), 1); // fails
    for (int n = 1; n < RetryLines.MOST_FIRES; n++) {
      arrives(fire("a", n), PastAttempts.NONE);
      work(TEN, new SplittableRandom(1), 1);
    }
    arrives(fire("b", 0), PastAttempts.NONE);
    assertThat(turns.next(TEN)).get().isInstanceOf(Turn.Run.class);
    arrives(fire("a", RetryLines.MOST_FIRES), PastAttempts.NONE);
    assertThat(turns.next(TEN))
        .get()
        .isInstanceOfSatisfying(
            Turn.Join.class, join -> assertThat(((Turn.Join<?>) join).at()).isEmpty());
  }

  /** A worker dies before it has committed that the first fire has ended. */
  @Test
  void what_waits_stays_ahead_of_a_new_fire_although_another_one_has_ended_twice() {
    SplittableRandom random = new SplittableRandom(1);
    arrives(fire("a", 0), PastAttempts.NONE);
    work(TEN, random, 1); // fails
    arrives(fire("a", 1), PastAttempts.NONE);
    work(TEN, random, Integer.MAX_VALUE); // joins
    Waiting first = later.remove();
    for (int times = 0; times < 2; times++) {
      claimed.clear();
      arrives(first.fire(), first.past());
      work(first.at(), random, Integer.MAX_VALUE);
    }
    arrives(fire("a", 2), PastAttempts.NONE);
    work(first.at(), random, Integer.MAX_VALUE);
    returnsOfAll(random);
    assertThat(ended).containsEntry("a", List.of(0, 0, 1, 2));
    assertThat(lines).isEmpty();
  }

  /**
   * A worker with what it writes, which dies now and then. A write becomes durable some time after
   * it was sent, those of a topic in their order, those of two topics in any. As the worker does,
   * it commits no offset of a fire before its writes are durable, and has a fire wait once its line
   * is stored. What waits for an instant that has passed returns in any order.
   */
  private final class MortalWorker {
    /** What a death takes away unless it was durable: a fire that waits, or the state of a line. */
    private record Write(BufferedFire<String> work, Runnable makeDurable) {}

    private final SplittableRandom random;
    private final List<Fire> fires = new ArrayList<>();
    private final List<Waiting> returns = new ArrayList<>();
    private final Map<String, String> storedLines = new HashMap<>();
    private final ArrayDeque<Write> toLater = new ArrayDeque<>();
    private final ArrayDeque<Write> toLines = new ArrayDeque<>();
    private AssignedPartition ofReturns = buffer.open(Backlog.NONE, 0);
    private long firesRead;
    private long returnsRead;
    private final Map<String, List<Integer>> successes = new HashMap<>();

    MortalWorker(SplittableRandom random) {
      this.random = random;
    }

    /** The brokers have fires and returns; the worker reads some of both. */
    void read(Instant now) {
      List<Waiting> due = new ArrayList<>();
      while (!later.isEmpty() && !later.peek().at().isAfter(now) && random.nextInt(30) > 0) {
        due.add(later.poll());
      }
      while (!due.isEmpty()) {
        returns.add(due.remove(random.nextInt(5) == 0 ? random.nextInt(due.size()) : 0));
      }
      boolean returnsFirst = random.nextBoolean();
      if (returnsFirst) {
        readReturns();
      }
      while (firesRead < fires.size() && random.nextInt(30) > 0) {
        Fire fire = fires.get((int) firesRead);
        add(source, firesRead++, fire, PastAttempts.NONE);
      }
      if (!returnsFirst) {
        readReturns();
      }
    }

    private void readReturns() {
      while (returnsRead < returns.size() && random.nextInt(30) > 0) {
        Waiting back = returns.get((int) returnsRead);
        add(ofReturns, returnsRead++, back.fire(), back.past());
      }
    }

    private void add(AssignedPartition from, long at, Fire fire, PastAttempts past) {
      buffer.add(new BufferedFire<>(from, at, fire, RunPolicy.of(fire).withRetry(PLAN), past, ""));
      buffer.passed(from, at + 1);
    }

    void work(Instant now, int failsOneIn) {
      for (Optional<Turn<String>> turn = turns.next(now);
          turn.isPresent();
          turn = turns.next(now)) {
        BufferedFire<String> work = turn.get().work();
        if (turn.get() instanceof Turn.Join<String> join) {
          writes(work, join.at().orElseThrow(), work.past().waits(), work.past().attempts());
          turns.joined(work);
        } else if (turn.get() instanceof Turn.Run && random.nextInt(failsOneIn) == 0) {
          RetryDecision decision = turns.failed(work, false, now).orElseThrow();
          if (decision instanceof RetryDecision.Wait wait) {
            writes(work, wait.at(), work.past().waits() + 1, work.attempt());
          } else {
            ends(work);
          }
        } else {
          turns.done(work);
          ends(work);
        }
        becomesDurable(3);
      }
    }

    private void writes(BufferedFire<String> work, Instant at, int waits, int attempts) {
      PastAttempts past = PastAttempts.of(waits, attempts);
      work.mark().hold();
      storesLine(
          work,
          () ->
              toLater.add(
                  new Write(work, () -> later.add(new Waiting(at, number++, work.fire(), past)))));
    }

    private void ends(BufferedFire<String> work) {
      String schedule = work.fire().getScheduleId();
      int occurrence = (int) Duration.between(TEN, work.fire().getOccurrence()).toSeconds();
      successes.computeIfAbsent(schedule, id -> new ArrayList<>()).add(occurrence);
      storesLine(work, () -> {});
    }

    private void storesLine(BufferedFire<String> work, Runnable then) {
      String schedule = work.fire().getScheduleId();
      Optional<String> line = Optional.ofNullable(lines.get(schedule)).map(RetryLines.Line::text);
      toLines.add(
          new Write(
              work,
              () -> {
                line.ifPresentOrElse(
                    text -> storedLines.put(schedule, text), () -> storedLines.remove(schedule));
                then.run();
              }));
    }

    void becomesDurable(int most) {
      for (ArrayDeque<Write> topic : List.of(toLater, toLines)) {
        for (int n = random.nextInt(most + 1); n > 0 && !topic.isEmpty(); n--) {
          Write write = topic.remove();
          write.makeDurable().run();
          write.work().mark().settle();
        }
      }
    }

    /** What it has not committed is read again; it remembers nothing. */
    void dies() {
      firesRead = source.committable();
      returnsRead = ofReturns.committable();
      toLater.clear();
      toLines.clear();
      claimed.clear();
      lines.clear();
      storedLines.forEach((id, text) -> lines.put(id, RetryLines.Line.parse(text).orElseThrow()));
      buffer = new FireBuffer<>(5_000, Map.of(), Fire::getScheduleId);
      turns = worker(1);
      source = buffer.open(Backlog.NONE, firesRead);
      ofReturns = buffer.open(Backlog.NONE, returnsRead);
    }

    boolean isIdle() {
      return later.isEmpty()
          && toLater.isEmpty()
          && toLines.isEmpty()
          && firesRead == fires.size()
          && returnsRead == returns.size();
    }

    /** Those of the first time, as an effect may be repeated after a death. */
    List<Integer> firstSuccesses(String schedule) {
      return successes.getOrDefault(schedule, List.of()).stream().distinct().toList();
    }
  }

  /**
   * Workers die between any two writes: each fire ends in its order when it does so for the first
   * time, none waits for a fire that does not come, and no line is left.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void workers_that_die_do_not_change_the_order(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    MortalWorker worker = new MortalWorker(random);
    int fires = 400;
    int deaths = 0;
    for (int n = 0; n < fires || !worker.isIdle(); n++) {
      Instant now = TEN.plusSeconds(n);
      if (n < fires) {
        worker.fires.add(fire("a", n));
        worker.fires.add(fire("b", n));
      }
      worker.read(now);
      worker.work(now, n < fires ? 3 : 1_000_000);
      worker.becomesDurable(n < fires ? 3 : 100);
      if (n < fires + 50 && random.nextInt(8) == 0) {
        worker.dies();
        deaths++;
      }
      assertThat(n).as("it ends soon after the last fire").isLessThan(fires + 3_000);
    }
    assertThat(deaths).isGreaterThan(20);
    for (String schedule : List.of("a", "b")) {
      assertThat(worker.firstSuccesses(schedule)).hasSize(fires).isSorted();
    }
    assertThat(lines).isEmpty();
  }

  /** A worker died after the wait was written, and before the offset was committed. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void a_copy_of_the_head_that_fails_a_little_later_moves_none_behind_what_has_joined(long seed) {
    turns = worker(seed);
    SplittableRandom random = new SplittableRandom(seed);
    arrives(fire("a", 0), PastAttempts.NONE);
    work(TEN, random, 1); // fails
    arrives(fire("a", 1), PastAttempts.NONE);
    work(TEN, random, 1); // joins
    Waiting first = later.remove();
    Waiting second = later.remove();
    arrives(first.fire(), first.past());
    work(first.at(), random, 1); // fails again
    arrives(fire("a", 2), PastAttempts.NONE);
    work(first.at(), random, 1); // joins
    arrives(first.fire(), first.past());
    work(first.at().plusMillis(80), random, 1); // the copy fails, too
    arrives(second.fire(), second.past());
    work(first.at().plusMillis(80), random, 1); // waits once more
    returnsOfAll(random);
    assertThat(ended.get("a").stream().distinct()).containsExactly(0, 1, 2);
    assertThat(lines).isEmpty();
  }

  /**
   * Of what is late, one may overtake another: those behind the first one wait until it is back.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void a_first_one_that_comes_late_lets_none_pass_another(int place) {
    SplittableRandom random = new SplittableRandom(1);
    arrives(fire("a", 0), PastAttempts.NONE);
    work(TEN, random, 1); // fails
    for (int n = 1; n <= 2; n++) {
      arrives(fire("a", n), PastAttempts.NONE);
      work(TEN, random, 1); // joins
    }
    Waiting first = later.remove();
    List<Waiting> back = new ArrayList<>(List.of(later.remove(), later.remove()));
    back.add(place, first);
    for (Waiting one : back) {
      arrives(one.fire(), one.past());
      work(first.at().plusSeconds(5), random, Integer.MAX_VALUE);
    }
    returnsOfAll(random);
    assertThat(ended).containsEntry("a", List.of(0, 1, 2));
    assertThat(lines).isEmpty();
  }

  private void returnsOfAll(SplittableRandom random) {
    while (!later.isEmpty()) {
      Waiting next = later.remove();
      arrives(next.fire(), next.past());
      work(next.at(), random, Integer.MAX_VALUE);
    }
  }

  @Test
  void a_fire_whose_wait_cannot_be_written_holds_none_up() {
    arrives(fire("a", 0), PastAttempts.NONE);
    BufferedFire<String> failing = turns.next(TEN).orElseThrow().work();
    assertThat(turns.failed(failing, false, TEN)).get().isInstanceOf(RetryDecision.Wait.class);
    turns.doesNotWait(failing);
    assertThat(lines).isEmpty();
    arrives(fire("a", 1), PastAttempts.NONE);
    assertThat(turns.next(TEN)).get().isInstanceOf(Turn.Run.class);
  }

  @Test
  void a_line_whose_head_never_returns_goes_on_after_an_hour() {
    arrives(fire("a", 0), PastAttempts.NONE);
    work(TEN, new SplittableRandom(1), 1); // fails
    later.clear(); // an operator deletes it
    arrives(fire("a", 1), PastAttempts.NONE);
    work(TEN.plusSeconds(1), new SplittableRandom(1), 1);
    Instant now = TEN;
    int returns = 0;
    while (ended.isEmpty()) {
      Waiting back = later.remove();
      now = now.plusSeconds(5).isAfter(back.at()) ? now.plusSeconds(5) : back.at();
      arrives(back.fire(), back.past());
      work(now, new SplittableRandom(1), Integer.MAX_VALUE);
      returns++;
    }
    assertThat(ended).containsEntry("a", List.of(1));
    assertThat(Duration.between(TEN, now)).isBetween(Duration.ofHours(1), Duration.ofHours(3));
    assertThat(returns).as("each wait is longer").isLessThan(40);
    assertThat(lines).isEmpty();
  }
}
