package io.waterclock.bench;

import io.waterclock.schemas.Topics;
import io.waterclock.testkit.KafkaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
  private final Path dir;
  private final Topics topics = Topics.ofDefault();
  private final KafkaProcess broker;
  private final Child scheduler;

  private Rig(Options options, Path dir) {
    this.options = options;
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
    Rig rig = new Rig(options, directory(options));
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
    Map<String, String> settings = new TreeMap<>();
    settings.put("bootstrap.servers", bootstrapServers());
    settings.put("partitions", Integer.toString(options.partitions()));
    settings.put("state.dir", dir.resolve("state").toString());
    settings.put("num.stream.threads", "1");
    settings.put("health.port", "off");
    settings.putAll(options.settings());
    return settings;
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
