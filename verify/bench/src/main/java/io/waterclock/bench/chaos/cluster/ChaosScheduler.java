package io.waterclock.bench.chaos.cluster;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A scheduler to be hit, the only one of its JVM, which ends in order on SIGTERM, and with 3 when
 * the scheduler gives up.
 *
 * <p>With {@code -Dwaterclock.bench.clock=system} it uses no more of the scheduler than earlier
 * versions of it have, so that it starts them, too.
 */
record ChaosScheduler(Waterclock scheduler, SteppedClock clock) {
  private static final int GAVE_UP = 3;

  static ChaosScheduler start(Map<String, String> settings) throws Exception {
    SteppedClock clock = new SteppedClock();
    WaterclockConfig config = WaterclockConfig.parse(settings);
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
    return new ChaosScheduler(scheduler, clock);
  }

  boolean isReady() {
    return scheduler.isReady();
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
