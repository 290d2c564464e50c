package io.waterclock.bench.chaos.cluster;

import io.waterclock.bench.rig.ChildProtocol;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A scheduler to be hit: {@code ChaosSchedulerMain KEY=VALUE ...}. Answers {@code ready} and {@code
 * clock MILLISECONDS PPM}. Ends in order on SIGTERM, and with 3 when the scheduler gives up.
 *
 * <p>With {@code -Dwaterclock.bench.clock=system} it uses no more of the scheduler than earlier
 * versions of it have, so that it starts them, too.
 */
final class ChaosSchedulerMain {
  private static final int GAVE_UP = 3;

  private ChaosSchedulerMain() {}

  public static void main(String[] args) throws Exception {
    SteppedClock clock = new SteppedClock();
    WaterclockConfig config = WaterclockConfig.parse(ChildProtocol.settings(List.of(args)));
    boolean isEarlier = System.getProperty("waterclock.bench.clock", "").equals("system");
    Waterclock scheduler = isEarlier ? Waterclock.start(config) : Waterclock.start(config, clock);
    AtomicBoolean isClosing = new AtomicBoolean();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  isClosing.set(true);
                  scheduler.close();
                  Runtime.getRuntime().halt(0);
                },
                "shutdown"));
    Thread end = new Thread(() -> awaitEnd(scheduler, isClosing), "end");
    end.setDaemon(true);
    end.start();
    ChildProtocol.serve(words -> answer(words, scheduler, clock));
    System.exit(0);
  }

  private static String answer(List<String> words, Waterclock scheduler, SteppedClock clock) {
    return switch (words.get(0)) {
      case "ready" -> Boolean.toString(scheduler.isReady());
      case "clock" -> {
        clock.set(Duration.ofMillis(Long.parseLong(words.get(1))), Long.parseLong(words.get(2)));
        yield "";
      }
      default -> throw new IllegalArgumentException("unknown command " + words);
    };
  }

  private static void awaitEnd(Waterclock scheduler, AtomicBoolean isClosing) {
    try {
      var unused = scheduler.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    if (!isClosing.get()) {
      Runtime.getRuntime().halt(GAVE_UP);
    }
  }
}
