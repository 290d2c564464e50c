package io.waterclock.bench.chaos.cluster;

import io.waterclock.bench.rig.Child;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/**
 * A scheduler in its place: a process that comes and goes, and a state directory. One that gives up
 * by itself is started again, as a supervisor would. Thread-safe.
 */
public final class SchedulerNode implements AutoCloseable {
  private static final String DISK = "96M";
  private static final Duration DISK_MOVES = Duration.ofMillis(50);
  private static final Duration END_BOUND = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(500);

  private static final List<String> JVM =
      List.of(
          "-Xmx300m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote",
          "-Dorg.slf4j.simpleLogger.log.io.waterclock=info");

  private final String name;
  private final Path dir;
  private final Map<String, String> settings;
  private final List<String> jvm = new ArrayList<>(JVM);
  private final List<String> earlier;
  private final boolean hasOwnDisk;
  private Child<ChaosScheduler> process;
  private boolean isMeantToRun;
  private int gaveUp;
  private volatile boolean isClosed;
  private volatile boolean isDiskSlow;

  private SchedulerNode(String name, Path dir, Map<String, String> settings, Equipment equipment) {
    this.name = name;
    this.dir = dir;
    this.settings = new TreeMap<>(settings);
    this.earlier = equipment.earlier();
    jvm.addAll(earlier);
    this.hasOwnDisk = equipment.hasOwnDisk() && mount();
    this.settings.put("instance", name);
    this.settings.put("state.dir", state().toString());
    this.process = launch();
    this.isMeantToRun = true;
  }

  /**
   * What schedulers are given.
   *
   * @param earlier JVM options that make it run an earlier version; empty for this one
   * @param hasOwnDisk whether it gets a small disk of its own for its state, if one can be mounted
   */
  public record Equipment(List<String> earlier, boolean hasOwnDisk) {
    /**
     * @param previous the folder of the jars of an earlier version
     */
    public static Equipment of(Optional<Path> previous, boolean hasOwnDisk) {
      return new Equipment(
          previous
              .map(
                  jars ->
                      List.of(
                          "-Dwaterclock.bench.clock=system",
                          "-cp",
                          jars + "/*:" + System.getProperty("java.class.path")))
              .orElse(List.of()),
          hasOwnDisk);
    }
  }

  /** Starts it; does not wait until it is ready. */
  public static SchedulerNode start(
      Path dir, int number, Brokers brokers, Map<String, String> settings, Equipment equipment) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("bootstrap.servers", brokers.bootstrapServers(number));
    SchedulerNode node = new SchedulerNode("s" + number, dir.resolve("s" + number), all, equipment);
    Thread supervisor = new Thread(node::supervise, "supervisor-" + number);
    supervisor.setDaemon(true);
    supervisor.start();
    return node;
  }

  private Child<ChaosScheduler> launch() {
    makeState();
    TreeMap<String, String> all = new TreeMap<>(settings);
    return Child.start(() -> ChaosScheduler.start(all), jvm, log());
  }

  private void supervise() {
    while (!isClosed) {
      synchronized (this) {
        if (isMeantToRun && !process.handle().isAlive()) {
          gaveUp++;
          Progress.say(name + " gave up by itself and is started again; see " + log());
          process = launch();
        }
      }
      Await.pass(LOOK);
    }
  }

  private void makeState() {
    try {
      Files.createDirectories(state());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file system of its own in a file, which can be full and can stand still. */
  private boolean mount() {
    makeState();
    String image = dir.resolve("disk").toString();
    return Signals.tries(List.of("mkfs.ext4", "-q", "-m", "0", image, DISK))
        && Signals.tries(List.of("mount", "-o", "loop", image, state().toString()));
  }

  Path state() {
    return dir.resolve("state");
  }

  private Path log() {
    return dir.resolve("scheduler.log");
  }

  public synchronized boolean isReady() {
    try {
      return process.handle().isAlive() && process.ask(ChaosScheduler::isReady);
    } catch (BenchException e) {
      return false; // it has ended meanwhile
    }
  }

  /** How often it ended by itself. */
  public synchronized int gaveUp() {
    return gaveUp;
  }

  public synchronized void restart() {
    process = launch();
    isMeantToRun = true;
  }

  /** Ends it as {@code kill -9} does. */
  public synchronized void kill() {
    isMeantToRun = false;
    process.kill();
  }

  /** Ends it as SIGTERM does, by force when it does not end. */
  public synchronized boolean terminate() {
    isMeantToRun = false;
    process.handle().destroy();
    try {
      process.handle().onExit().get(END_BOUND.toSeconds(), TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      process.kill();
      return false;
    } catch (ExecutionException | InterruptedException e) {
      throw new BenchException("waiting for the end of " + name, e);
    }
  }

  public synchronized void stall() {
    Signals.stall(process.handle());
  }

  public synchronized void goOn() {
    Signals.goOn(process.handle());
  }

  /** Sets its clock, if it runs. */
  public synchronized void setClock(Duration off, long ppm) {
    if (process.handle().isAlive()) {
      process.tell(it -> it.clock().set(off, ppm));
    }
  }

  /** Removes what is in its state directory; it must not run. */
  public synchronized void wipe() {
    try (Stream<Path> files = Files.list(state())) {
      files.forEach(SchedulerNode::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Puts the copy of its state back that was made last time, and makes one of the present state for
   * the next time; it must not run.
   */
  public synchronized void age() {
    Path old = dir.resolve("old-state");
    Path older = dir.resolve("older-state");
    delete(older);
    try {
      if (Files.exists(old)) {
        Files.move(old, older);
      }
      copy(state(), old);
      if (Files.exists(older)) {
        wipe();
        copy(older, state());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has it run this version from its next start on, if it ran an earlier one. */
  public synchronized void upgrade() {
    jvm.removeAll(earlier);
  }

  /** Leaves no room on the disk of its state; false if no disk of its own could be mounted. */
  public synchronized boolean fillDisk() {
    if (!hasOwnDisk) {
      return false;
    }
    // dd ends when the disk is full
    Signals.tries(List.of("dd", "if=/dev/zero", "of=" + filler(), "bs=64k"));
    return true;
  }

  public synchronized void freeDisk() {
    delete(filler());
  }

  /**
   * Has the disk of its state stand still again and again: what writes to it waits. Until {@link
   * #speedDiskUp}; false if no disk of its own could be mounted.
   *
   * @param still how long each time
   */
  public synchronized boolean slowDiskDown(Duration still) {
    if (!hasOwnDisk) {
      return false;
    }
    isDiskSlow = true;
    Thread disk = new Thread(() -> holdDisk(still), "disk-" + name);
    disk.setDaemon(true);
    disk.start();
    return true;
  }

  private void holdDisk(Duration still) {
    while (isDiskSlow) {
      Signals.tries(List.of("fsfreeze", "--freeze", state().toString()));
      Await.pass(still);
      Signals.tries(List.of("fsfreeze", "--unfreeze", state().toString()));
      Await.pass(DISK_MOVES);
    }
  }

  public void speedDiskUp() {
    isDiskSlow = false;
  }

  private Path filler() {
    return state().resolve("filler");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  private static void delete(Path path) {
    try {
      Utils.delete(path.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it without waiting for anything. */
  @Override
  public void close() {
    isClosed = true;
    isDiskSlow = false;
    kill();
    if (hasOwnDisk) {
      Signals.tries(List.of("umount", state().toString()));
    }
  }
}
