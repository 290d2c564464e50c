package io.waterclock.bench;

import io.waterclock.schemas.Topics;
import io.waterclock.testkit.KafkaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A broker and a scheduler, each in a process of its own, and clients of them in this one. The
 * scheduler has one stream thread unless set otherwise.
 */
final class Rig implements AutoCloseable {
  /** What the scheduler's own producer is given; the baseline's gets the same. */
  private static final Map<String, String> PRODUCER =
      Map.of(
          "linger.ms", "5",
          "batch.size", Integer.toString(256 * 1024),
          "buffer.memory", Integer.toString(64 << 20));

  private final Options options;
  private final Map<String, String> settings;
  private final Path dir;
  private final Topics topics = Topics.ofDefault();
  private final KafkaProcess broker;
  private final Child scheduler;

  private Rig(Options options, Map<String, String> settings, Path dir) {
    this.options = options;
    this.settings = settings;
    this.dir = dir;
    this.broker = KafkaProcess.start(dir.resolve("broker"), 0, Map.of(), options.brokerJvm());
    this.scheduler =
        Child.start(
            SchedulerMain.class,
            options.schedulerJvm(),
            arguments(schedulerSettings()),
            dir.resolve("scheduler.log"));
  }

  /** Returns when the scheduler decides. */
  static Rig start(Options options) {
    return start(options, Map.of());
  }

  /**
   * Returns when the scheduler decides.
   *
   * @param settings of the scheduler, unless the options say otherwise
   */
  static Rig start(Options options, Map<String, String> settings) {
    Rig rig = new Rig(options, settings, directory(options));
    rig.scheduler.ask("ready");
    return rig;
  }

  private static Path directory(Options options) {
    try {
      return options.dir().isPresent()
          ? Files.createDirectories(options.dir().get())
          : Files.createTempDirectory("waterclock-bench");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Topics topics() {
    return topics;
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  Child scheduler() {
    return scheduler;
  }

  Loader loader() {
    return new Loader(bootstrapServers(), topics.schedules());
  }

  Arrivals arrivals() {
    return new Arrivals(bootstrapServers(), topics.fires());
  }

  Arrivals statuses() {
    return new Arrivals(bootstrapServers(), topics.status());
  }

  /** The baseline's producer. It has read some fires to write again. */
  Child producer(int fires) {
    Map<String, String> settings = new TreeMap<>(PRODUCER);
    options
        .settings()
        .forEach(
            (key, value) -> {
              if (key.startsWith("producer.")) {
                settings.put(key.substring("producer.".length()), value);
              }
            });
    settings.put("bootstrap.servers", bootstrapServers());
    settings.put("transactional.id", "baseline");
    List<String> arguments = new ArrayList<>(List.of(topics.fires()));
    arguments.addAll(arguments(settings));
    Child producer =
        Child.start(
            ProducerMain.class, options.schedulerJvm(), arguments, dir.resolve("producer.log"));
    producer.ask("learn " + fires);
    return producer;
  }

  /** What each process has used so far. */
  CpuTimes cpu(Child other) {
    return CpuTimes.of(broker.handle(), other.handle());
  }

  private Map<String, String> schedulerSettings() {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("bootstrap.servers", bootstrapServers());
    all.put("partitions", Integer.toString(options.partitions()));
    all.put("state.dir", stateDir().toString());
    all.put("num.stream.threads", "1");
    all.put("health.port", "off");
    all.putAll(options.settings());
    return all;
  }

  private Path stateDir() {
    return dir.resolve("state");
  }

  /** The bytes of the scheduler's files, as they are. */
  long localStateBytes() {
    AtomicLong bytes = new AtomicLong();
    try {
      Files.walkFileTree(
          stateDir(),
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              bytes.addAndGet(attributes.size());
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.get();
  }

  private static List<String> arguments(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .toList();
  }

  /** Starts recording the scheduler, when a profile is wanted. */
  void startProfile() {
    if (options.profile().isPresent()) {
      scheduler.ask("profile");
    }
  }

  /** Ends the recording and reads it. */
  Optional<Profile> endProfile() {
    if (options.profile().isEmpty()) {
      return Optional.empty();
    }
    Path file = options.profile().get().toAbsolutePath();
    scheduler.ask("profiled " + file);
    return Optional.of(Profile.read(file));
  }

  @Override
  public void close() {
    scheduler.close();
    broker.close();
    if (options.dir().isEmpty()) {
      delete(dir);
    }
  }

  private static void delete(Path dir) {
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
