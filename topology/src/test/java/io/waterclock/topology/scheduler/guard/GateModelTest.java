package io.waterclock.topology.scheduler.guard;

import io.waterclock.topology.explore.Explorer;
import io.waterclock.topology.scheduler.context.Gate;
import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The gate in every order of a few events: a task that decides has read each record that was
 * confirmed some seconds before, and a task that can read is not kept waiting. {@code
 * -Dwaterclock.model=N} explores N states.
 */
final class GateModelTest {
  private static final int IN_THE_BUILD = 7_000 * Integer.getInteger("waterclock.depth", 1);
  private static final int OF_A_CONTROL = 100_000;

  private enum Event {
    /** A client writes a record, and the brokers confirm it. */
    WRITE,
    /** The brokers' answer arrives, with the end at the time of the request. */
    ANSWER,
    /** Time passes in which the thread does nothing. */
    MOMENT,
    /** As long as a slow commit takes. */
    SLOW,
    /** The process is stopped. */
    STOP,
    /** The host is suspended, and its monotonic time with it. */
    SUSPEND,
    /** The thread polls, and gets everything that is there. */
    POLL,
    /** The thread polls, and gets what the brokers had at its last poll. */
    POLL_OLD,
    /** The thread polls, but the consumer waits for a restore or a transaction. */
    POLL_NOTHING,
    /** The task asks its gate. */
    TICK,
    /** A slow round in which everything succeeds. */
    ROUND
  }

  /** What the product does, and faults that must be found. */
  private enum Variant {
    PRODUCT,
    IGNORES_STALLS,
    TRUSTS_MONOTONIC_TIME,
    TAKES_OLD_ENDS_FOR_FRESH,
    ASKS_FOR_THE_START,
    NEVER_PASSES
  }

  @Test
  void a_task_that_decides_has_read_what_was_confirmed_before() {
    explorer(Variant.PRODUCT).mustHold("The gate", IN_THE_BUILD);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PRODUCT")
  void each_planted_fault_is_found(Variant variant) {
    explorer(variant).mustBreak(variant, OF_A_CONTROL);
  }

  private static Explorer<Event> explorer(Variant variant) {
    return new Explorer<>(() -> new Gated(variant), Event.class);
  }

  /** A task, its thread, its clocks, and its input. */
  private static final class Gated implements Explorer.World<Event> {
    private static final Duration MOMENT = FreshEnds.FRESH;
    private static final Duration SLOW = Gate.STALL;
    private static final Duration STOP = SLOW.plus(MOMENT);

    /** A record that was confirmed longer ago is read before anything is decided. */
    private static final Duration DELIVERY = Gate.STALL.multipliedBy(2);

    /** A task that can read begins to decide within this time. */
    private static final Duration WAIT = FreshEnds.PATIENCE.plus(SLOW.multipliedBy(3));

    private static final int MOST_WRITTEN = 1;

    private final Variant variant;
    private final List<Long> confirmedMs = new ArrayList<>();
    private final StallDetector stallDetector;
    private final FreshEnds ends;
    private long trueMs = 1_000_000;
    private long monotonicMs = 1_000_000;
    private int read;
    private int seenByPoll;
    private long beatMs = trueMs;
    private long askedMs;
    private long askedStalls;
    private int askedEnd;
    private long answeredMs;
    private boolean isAnswered = true;
    private boolean hasPolled;
    private boolean isOpen;
    private long smoothSinceMs = trueMs;
    private Optional<String> broken = Optional.empty();

    Gated(Variant variant) {
      this.variant = variant;
      LongSupplier nanos = () -> Duration.ofMillis(monotonicMs).toNanos();
      InstantSource wall = () -> Instant.ofEpochMilli(trueMs);
      this.stallDetector =
          switch (variant) {
            case IGNORES_STALLS -> new StallDetector(() -> 0, () -> Instant.EPOCH);
            case TRUSTS_MONOTONIC_TIME -> new StallDetector(nanos, () -> Instant.EPOCH);
            default -> new StallDetector(nanos, wall);
          };
      this.ends = new FreshEnds(this::ask, nanos, stallDetector);
    }

    @Override
    public boolean play(Event event) {
      return switch (event) {
        case WRITE -> write();
        case ANSWER -> answer();
        case MOMENT -> pass(MOMENT, MOMENT);
        case SLOW -> pass(SLOW, SLOW);
        case STOP -> isDisturbed() && pass(STOP, STOP);
        case SUSPEND -> isDisturbed() && pass(STOP, Duration.ZERO);
        case POLL -> poll(confirmedMs.size());
        case POLL_OLD -> isDisturbed() && seenByPoll < confirmedMs.size() && poll(seenByPoll);
        case POLL_NOTHING -> isDisturbed() && !isOpen && read < confirmedMs.size() && poll(read);
        case TICK -> tick();
        case ROUND -> round();
      };
    }

    /** From now on the thread runs as it should, or not yet. */
    private boolean isDisturbed() {
      smoothSinceMs = trueMs;
      return true;
    }

    private boolean write() {
      confirmedMs.add(trueMs);
      return confirmedMs.size() <= MOST_WRITTEN;
    }

    private boolean answer() {
      boolean isAsked = !isAnswered;
      isAnswered = true;
      answeredMs = monotonicMs;
      return isAsked;
    }

    private boolean pass(Duration time, Duration monotonic) {
      trueMs += time.toMillis();
      monotonicMs += monotonic.toMillis();
      if (!isAnswered || trueMs - beatMs > SLOW.toMillis()) {
        isDisturbed();
      }
      return true;
    }

    private boolean poll(int through) {
      stallDetector.beat();
      beatMs = trueMs;
      read = through;
      seenByPoll = confirmedMs.size();
      boolean isTurn = !hasPolled;
      hasPolled = true;
      return isTurn;
    }

    private boolean tick() {
      boolean isTurn = hasPolled;
      hasPolled = false;
      beatMs = trueMs;
      isOpen = ends.areReached();
      if (isOpen && !ends.areLagging()) {
        confirmedMs.stream()
            .skip(read)
            .filter(at -> trueMs - at > DELIVERY.toMillis())
            .findFirst()
            .ifPresent(at -> broken = Optional.of("decides unread " + (trueMs - at) + " ms later"));
      }
      if (!isOpen && trueMs - smoothSinceMs > WAIT.toMillis()) {
        broken = Optional.of("waits since " + (trueMs - smoothSinceMs) + " ms");
      }
      return isTurn;
    }

    private boolean round() {
      boolean isTurn = !hasPolled;
      answer();
      pass(SLOW, SLOW);
      poll(confirmedMs.size());
      tick();
      return isTurn;
    }

    private List<FreshEnds.End> ask() {
      askedMs = monotonicMs;
      askedStalls = stallDetector.stalls();
      askedEnd = variant == Variant.ASKS_FOR_THE_START ? 0 : confirmedMs.size();
      isAnswered = false;
      int end = askedEnd;
      return List.of(
          new FreshEnds.End() {
            @Override
            public boolean isPassed() {
              return isAnswered && read >= end && variant != Variant.NEVER_PASSES;
            }

            @Override
            public long learnedAtNanos() {
              long ms = variant == Variant.TAKES_OLD_ENDS_FOR_FRESH ? monotonicMs : answeredMs;
              return Duration.ofMillis(ms).toNanos();
            }
          });
    }

    @Override
    public String fingerprint() {
      List<Object> all = new ArrayList<>(List.of(broken));
      confirmedMs.stream().skip(read).forEach(at -> all.add(age(trueMs - at, DELIVERY)));
      all.add(confirmedMs.size());
      all.add(seenByPoll - read);
      all.add(Math.max(0, askedEnd - read));
      all.add(isAnswered);
      all.add(hasPolled);
      all.add(isOpen);
      all.add(stallDetector.stalls() - askedStalls);
      all.add(age(trueMs - beatMs, SLOW));
      all.add(age(monotonicMs - askedMs, FreshEnds.OLDEST));
      all.add(age(monotonicMs - answeredMs, FreshEnds.FRESH));
      all.add(age(trueMs - smoothSinceMs, WAIT));
      Optional<?> firstPassed = (Optional<?>) hidden("firstPassedAtNanos");
      all.add(firstPassed.map(at -> age(monotonicMs - (long) at / 1_000_000, FreshEnds.PATIENCE)));
      all.add(hidden("lagging"));
      return all.toString();
    }

    /** All times beyond a limit are the same. */
    private static long age(long ms, Duration limit) {
      return Math.min(ms, limit.toMillis() + 1);
    }

    private Object hidden(String field) {
      try {
        Field found = FreshEnds.class.getDeclaredField(field);
        found.setAccessible(true);
        return found.get(ends);
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public Optional<String> broken() {
      return broken;
    }
  }
}
