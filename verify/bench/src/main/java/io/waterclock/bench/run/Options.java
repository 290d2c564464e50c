package io.waterclock.bench.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerConfig;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every measurement that has a broker and a scheduler. */
public class Options {
  /** The default heap of broker, scheduler and peers, allocated at the start. */
  public static final String HEAP = "-Xms1g -Xmx1g";

  /** What {@code waterclock run} sets, with the memory limit that the manifests set: 410 MB. */
  public static final String HEAP_OF_MANIFESTS =
      "-XX:MaxRAM=1g -XX:MaxRAMPercentage=40 -XX:+UseG1GC -XX:MaxGCPauseMillis=20"
          + " -XX:+ExitOnOutOfMemoryError";

  private static final String FOR_PRODUCER = "producer.";

  @ArgGroup private Scale scale = new Scale();

  @Option(
      names = "--partitions",
      description = "Partitions of every topic; default ${DEFAULT-VALUE}.")
  private int partitions = 12;

  @Option(
      names = "--brokers",
      description =
          "1, or 3 that keep each topic on all, two of them in sync; default ${DEFAULT-VALUE}.")
  private int brokers = 1;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the scheduler; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--scheduler-jvm",
      paramLabel = "OPTIONS",
      description = "JVM options of the scheduler; default \"${DEFAULT-VALUE}\".")
  private String schedulerJvm;

  @Option(
      names = "--broker-jvm",
      paramLabel = "OPTIONS",
      description = "JVM options of the broker; default \"${DEFAULT-VALUE}\".")
  private String brokerJvm = HEAP;

  @Mixin private DataPlace place = new DataPlace();

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the figures as JSON, too.")
  private Optional<Path> json = Optional.empty();

  public Options() {
    this(HEAP);
  }

  /**
   * @param schedulerJvm the default of the scheduler's JVM options
   */
  public Options(String schedulerJvm) {
    this.schedulerJvm = schedulerJvm;
  }

  public boolean full() {
    return scale.full();
  }

  public boolean quick() {
    return scale.quick();
  }

  public int partitions() {
    return atLeast(1, "--partitions", partitions);
  }

  public int brokers() {
    if (brokers != 1 && brokers != 3) {
      throw new BadOptionException("--brokers " + brokers + ": wants 1 or 3");
    }
    return brokers;
  }

  public Map<String, String> settings() {
    return settings;
  }

  public List<String> schedulerJvm() {
    return words(schedulerJvm);
  }

  public List<String> brokerJvm() {
    return words(brokerJvm);
  }

  /** The settings that the scheduler's own producer and the baseline's producer have in common. */
  public Map<String, String> producerSettings() {
    Map<String, String> producer = new TreeMap<>();
    producer.put("linger.ms", "5");
    producer.put("batch.size", Integer.toString(256 * 1024));
    producer.put("buffer.memory", Integer.toString(64 << 20));
    settings.keySet().stream()
        .filter(ProducerConfig.configNames()::contains)
        .forEach(key -> producer.put(key, settings.get(key)));
    settings.keySet().stream()
        .filter(key -> key.startsWith(FOR_PRODUCER))
        .forEach(key -> producer.put(key.substring(FOR_PRODUCER.length()), settings.get(key)));
    return producer;
  }

  public Optional<Path> dir() {
    return place.dir();
  }

  public Optional<Path> json() {
    return json;
  }

  /** The file for a recording of the scheduler; empty when the run makes none. */
  public Optional<Path> profile() {
    return Optional.empty();
  }

  /**
   * {@code usual}, or {@code small} with --quick, unless a number was given.
   *
   * @throws BadOptionException if that is not 1 or more
   */
  public int size(String option, Optional<Integer> given, int usual, int small) {
    return atLeast(1, option, given.orElse(quick() ? small : usual));
  }

  /**
   * @throws BadOptionException if the value of an option is below the least
   */
  public static int atLeast(int least, String option, int value) {
    if (value < least) {
      throw new BadOptionException(option + " " + value + ": wants " + least + " or more");
    }
    return value;
  }

  /**
   * @throws BadOptionException if the value of an option is above the most
   */
  public static int atMost(int most, String option, int value) {
    if (value > most) {
      throw new BadOptionException(option + " " + value + ": wants " + most + " or less");
    }
    return value;
  }

  public static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
  }

  /** The options of a measurement of one scheduler, which a profiler can record meanwhile. */
  public static final class Profiled extends Options {
    @Option(
        names = "--profile",
        paramLabel = "FILE",
        description =
            "Records the scheduler with JFR while it is measured, and prints where the time goes."
                + " The profiler costs a little itself.")
    private Optional<Path> profile = Optional.empty();

    @Override
    public Optional<Path> profile() {
      return profile;
    }
  }

  /** The size of a measurement. */
  public static final class Scale {
    @Option(names = "--quick", description = "Small numbers: to see that it works, not to quote.")
    private boolean quick;

    @Option(
        names = "--full",
        description =
            "The largest numbers: a herd of a million, ten million schedules that wait. The rest"
                + " is as large as it gets without.")
    private boolean full;

    public boolean quick() {
      return quick;
    }

    public boolean full() {
      return full;
    }
  }

  /** The place of a measurement's data. */
  public static final class DataPlace {
    @Option(
        names = "--dir",
        description =
            "Where processes keep their data and logs, in a new directory at each start that stays;"
                + " default a temporary directory.")
    private Optional<Path> dir = Optional.empty();

    public Optional<Path> dir() {
      return dir;
    }
  }
}
