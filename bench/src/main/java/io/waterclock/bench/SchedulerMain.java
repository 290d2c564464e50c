package io.waterclock.bench;

import io.waterclock.topology.Waterclock;
import io.waterclock.topology.config.WaterclockConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * A scheduler in a process of its own: {@code SchedulerMain KEY=VALUE ...}. Answers {@code ready},
 * {@code heap}, {@code ticks}, {@code profile}, {@code profiled FILE}.
 */
final class SchedulerMain {
  private static final Duration START_BOUND = Duration.ofMinutes(10);

  private final Waterclock scheduler;
  private final Recording recording;

  private SchedulerMain(Waterclock scheduler) throws Exception {
    this.scheduler = scheduler;
    this.recording = new Recording(Configuration.getConfiguration("profile"));
    recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
    recording.enable("jdk.NativeMethodSample").withPeriod(Duration.ofMillis(10));
  }

  public static void main(String[] args) throws Exception {
    Map<String, String> settings = new HashMap<>();
    for (String arg : args) {
      String[] parts = arg.split("=", 2);
      settings.put(parts[0], parts[1]);
    }
    try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings))) {
      Commands.serve(new SchedulerMain(scheduler)::answer);
    }
    // when the broker is gone first, the client threads wait for it after the scheduler gave up
    System.exit(0);
  }

  private String answer(List<String> words) throws IOException {
    return switch (words.get(0)) {
      case "ready" -> {
        Await.until("the scheduler is ready", START_BOUND, scheduler::isReady);
        yield "";
      }
      case "heap" -> Long.toString(heapAfterCollection());
      case "ticks" -> {
        Ticks ticks = Ticks.ofThisJvm(scheduler.metrics().scrape());
        yield ticks.count() + " " + ticks.threadNanos();
      }
      case "profile" -> {
        recording.start();
        yield "";
      }
      case "profiled" -> {
        recording.stop();
        recording.dump(Path.of(words.get(1)));
        recording.close();
        yield "";
      }
      default -> throw new IllegalArgumentException("unknown command " + words);
    };
  }

  private static long heapAfterCollection() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
