package io.waterclock.bench;

import io.waterclock.schemas.Topics;
import io.waterclock.testkit.KafkaProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * A broker and a scheduler or several, each in a process of its own, and clients of them in this
 * one. A scheduler has one stream thread unless set otherwise.
 */
final class Rig implements AutoCloseable {
  /** What the scheduler's own producer is given; the baseline's gets the same. */
  private static final Map<String, String> PRODUCER =
      Map.of(
          "linger.ms", "5",
          "batch.size", Integer.toString(256 * 1024),
          "buffer.memory", Integer.toString(64 << 20));

  /**
   * Room for the records of a large herd, which are at hand before they are due. It is more than a
   * warm-up uses, so it is touched beforehand: memory costs most when it is used for the first
   * time.
   */
  private static final List<String> PRODUCER_JVM =
      List.of("-Xms4g", "-Xmx4g", "-XX:+AlwaysPreTouch");

  private static final String MAIN = "scheduler";

  private final Options options;
  private final Directory dir;
  private final Topics topics = Topics.ofDefault();
  private final KafkaProcess broker;
  private final Map<String, Child> schedulers = new HashMap<>();

  private Rig(Options options, Directory dir) {
    this.options = options;
    this.dir = dir;
    this.broker =
        KafkaProcess.start(
            dir.path().resolve("broker"), 0, options.brokerSettings(), options.brokerJvm());
  }

  /** A broker alone; {@link #launch} adds schedulers. */
  static Rig withoutScheduler(Options options) {
    return new Rig(options, Directory.of(options.dir()));
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
    Rig rig = withoutScheduler(options);
    try {
      rig.launch(MAIN, settings).ask("ready");
      return rig;
    } catch (RuntimeException e) {
      rig.close();
      throw e;
    }
  }

  /**
   * Starts a scheduler, again in the same place if there was one of that name.
   *
   * @param name of the directory of its state
   * @param settings unless the options say otherwise
   */
  Child launch(String name, Map<String, String> settings) {
    Child scheduler =
        Child.start(
            SchedulerMain.class,
            options.schedulerJvm(),
            arguments(schedulerSettings(name, settings)),
            dir.path().resolve(name + ".log"));
    schedulers.put(name, scheduler);
    return scheduler;
  }

  /** Ends the only scheduler in order and starts it in the same place; returns when it decides. */
  void relaunch(Map<String, String> settings) {
    scheduler().close();
    launch(MAIN, settings).ask("ready");
  }

  Topics topics() {
    return topics;
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** The only scheduler. */
  Child scheduler() {
    return Objects.requireNonNull(schedulers.get(MAIN), "no scheduler");
  }

  Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
  }

  int partitions() {
    return options.partitions();
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

  Arrivals deadLetters() {
    return new Arrivals(bootstrapServers(), topics.dlq());
  }

  /** Of the scheduler's producer and of the baseline's. */
  static Map<String, String> producerSettings(Options options) {
    Map<String, String> settings = new TreeMap<>(PRODUCER);
    options
        .settings()
        .forEach(
            (key, value) -> {
              if (ProducerConfig.configNames().contains(key)) {
                settings.put(key, value);
              }
            });
    options
        .settings()
        .forEach(
            (key, value) -> {
              if (key.startsWith("producer.")) {
                settings.put(key.substring("producer.".length()), value);
              }
            });
    return settings;
  }

  /** The baseline's producer. It has read some fires to write again. */
  Child producer(int fires) {
    Map<String, String> settings = producerSettings(options);
    settings.put("bootstrap.servers", bootstrapServers());
    settings.put("transactional.id", "baseline");
    List<String> arguments = new ArrayList<>(List.of(topics.fires()));
    arguments.addAll(arguments(settings));
    Child producer =
        Child.start(
            ProducerMain.class, PRODUCER_JVM, arguments, dir.path().resolve("producer.log"));
    producer.ask("learn " + fires);
    return producer;
  }

  /** What each process has used so far. */
  CpuTimes cpu(Child other) {
    return CpuTimes.of(broker.handle(), other.handle());
  }

  private Map<String, String> schedulerSettings(String name, Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("bootstrap.servers", bootstrapServers());
    all.put("partitions", Integer.toString(options.partitions()));
    all.put("state.dir", stateDir(name).toString());
    all.put("num.stream.threads", "1");
    all.putIfAbsent("health.port", "off");
    all.putAll(options.settings());
    return all;
  }

  /** Where a scheduler keeps its state. */
  Path stateDir(String name) {
    return dir.path().resolve("state").resolve(name);
  }

  /** The bytes of the scheduler's files, as they are. */
  long localStateBytes() {
    return Directory.bytes(stateDir(MAIN));
  }

  private static List<String> arguments(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .toList();
  }

  /** Starts recording the scheduler, when a profile is wanted. */
  void startProfile() {
    if (options.profile().isPresent()) {
      scheduler().ask("profile");
    }
  }

  /** Ends the recording and reads it. */
  Optional<Profile> endProfile() {
    if (options.profile().isEmpty()) {
      return Optional.empty();
    }
    Path file = options.profile().get().toAbsolutePath();
    scheduler().ask("profiled " + Commands.word(file));
    return Optional.of(Profile.read(file));
  }

  @Override
  public void close() {
    schedulers.values().forEach(Child::close);
    broker.close();
    dir.close();
  }
}
