package io.waterclock.bench.rig;

import io.waterclock.bench.meter.Ticks;
import io.waterclock.bench.run.Await;
import io.waterclock.console.Console;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * A scheduler in a process of its own: {@code SchedulerMain KEY=VALUE ...}. Answers {@code ready},
 * {@code console} (its port, when it has read what the topics hold), {@code heap}, {@code ticks},
 * {@code profile}, {@code profiled FILE}.
 */
final class MeasuredSchedulerMain {
  private static final Duration START_BOUND = Duration.ofMinutes(10);

  /** As with {@code console=on}. */
  private static final int CONSOLE_FIRES = 1_000_000;

  /** As with {@code console=on}. */
  private static final int CONSOLE_PARTS = 4;

  private final Waterclock scheduler;

  /** There only while one is made: the recorder costs something even when it does nothing. */
  private Optional<Recording> recording = Optional.empty();

  private Optional<Console> console = Optional.empty();

  private final String bootstrapServers;

  private MeasuredSchedulerMain(Waterclock scheduler, String bootstrapServers) {
    this.scheduler = scheduler;
    this.bootstrapServers = bootstrapServers;
  }

  public static void main(String[] args) throws Exception {
    Map<String, String> settings = ChildProtocol.settings(List.of(args));
    String bootstrapServers = Objects.requireNonNull(settings.get("bootstrap.servers"));
    try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings))) {
      MeasuredSchedulerMain main = new MeasuredSchedulerMain(scheduler, bootstrapServers);
      ChildProtocol.serve(main::answer);
      main.console.ifPresent(Console::close);
    }
    // when the broker is gone first, the client threads wait for it after the scheduler gave up
    System.exit(0);
  }

  private static Recording start() throws IOException {
    Recording recording;
    try {
      recording = new Recording(Configuration.getConfiguration("profile"));
    } catch (ParseException e) {
      throw new IOException(e);
    }
    recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
    recording.enable("jdk.NativeMethodSample").withPeriod(Duration.ofMillis(10));
    recording.start();
    return recording;
  }

  private String answer(List<String> words) throws IOException {
    return switch (words.get(0)) {
      case "ready" -> {
        Await.until("the scheduler is ready", START_BOUND, scheduler::isReady);
        yield "";
      }
      case "console" -> {
        Console started = MeasuredConsole.start(bootstrapServers, CONSOLE_FIRES, CONSOLE_PARTS);
        console = Optional.of(started);
        Await.until("the console is complete", START_BOUND, started::isComplete);
        yield Integer.toString(started.port());
      }
      case "heap" -> Long.toString(heapAfterCollection());
      case "ticks" -> Ticks.ofThisJvm(scheduler.metrics().scrape()).words();
      case "profile" -> {
        recording = Optional.of(start());
        yield "";
      }
      case "profiled" -> {
        try (Recording ended = recording.orElseThrow()) {
          ended.stop();
          Path file = ChildProtocol.file(words.get(1));
          Files.createDirectories(Objects.requireNonNull(file.getParent()));
          ended.dump(file);
        }
        recording = Optional.empty();
        yield "";
      }
      default -> throw new IllegalArgumentException("unknown command " + words);
    };
  }

  static long heapAfterCollection() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
