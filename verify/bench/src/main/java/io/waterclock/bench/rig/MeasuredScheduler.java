package io.waterclock.bench.rig;

import io.waterclock.bench.meter.Ticks;
import io.waterclock.bench.run.Await;
import io.waterclock.console.Console;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.text.ParseException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** A scheduler to measure, the only one of its JVM. For one thread at a time. */
public final class MeasuredScheduler implements AutoCloseable {
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

  private MeasuredScheduler(Waterclock scheduler, String bootstrapServers) {
    this.scheduler = scheduler;
    this.bootstrapServers = bootstrapServers;
  }

  static MeasuredScheduler start(Map<String, String> settings) throws Exception {
    Locale.setDefault(Locale.Category.FORMAT, Locale.US); // as the command does
    return new MeasuredScheduler(
        Waterclock.start(WaterclockConfig.parse(settings)),
        Objects.requireNonNull(settings.get("bootstrap.servers")));
  }

  /** Returns when it decides. */
  public void awaitReady() {
    Await.until("the scheduler is ready", START_BOUND, scheduler::isReady);
  }

  /** Starts its console; returns the port when it has read what the topics hold. */
  public int console() throws IOException {
    Console started = MeasuredConsole.start(bootstrapServers, CONSOLE_FIRES, CONSOLE_PARTS);
    console = Optional.of(started);
    Await.until("the console is complete", START_BOUND, started::isComplete);
    return started.port();
  }

  public Ticks ticks() {
    return Ticks.ofThisJvm(scheduler.metrics().scrape());
  }

  void startProfile() throws IOException {
    recording = Optional.of(start());
  }

  void endProfile(File file) throws IOException {
    try (Recording ended = recording.orElseThrow()) {
      ended.stop();
      Files.createDirectories(Objects.requireNonNull(file.toPath().getParent()));
      ended.dump(file.toPath());
    }
    recording = Optional.empty();
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

  /** The bytes of the heap of this JVM after a collection. */
  public static long heapAfterCollection() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  @Override
  public void close() {
    console.ifPresent(Console::close);
    scheduler.close();
  }
}
