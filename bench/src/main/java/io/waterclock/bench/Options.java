package io.waterclock.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every measurement takes. */
class Options {
  /** Of broker, scheduler and peers unless told otherwise: the whole heap from the start. */
  static final String HEAP = "-Xms1g -Xmx1g";

  @ArgGroup private Scale scale = new Scale();

  @Option(
      names = "--partitions",
      description = "Partitions of every topic; default ${DEFAULT-VALUE}.",
      defaultValue = "12")
  private int partitions = 12;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the scheduler; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--broker-set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the broker; may be repeated.")
  private Map<String, String> brokerSettings = new LinkedHashMap<>();

  @Option(
      names = "--scheduler-jvm",
      paramLabel = "OPTIONS",
      description = "JVM options of the scheduler; default \"${DEFAULT-VALUE}\".",
      defaultValue = HEAP)
  private String schedulerJvm = HEAP;

  @Option(
      names = "--broker-jvm",
      paramLabel = "OPTIONS",
      description = "JVM options of the broker; default \"${DEFAULT-VALUE}\".",
      defaultValue = HEAP)
  private String brokerJvm = HEAP;

  @Mixin private Place place = new Place();

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the figures as JSON, too.")
  private Optional<Path> json = Optional.empty();

  boolean full() {
    return scale.full();
  }

  boolean quick() {
    return scale.quick();
  }

  int partitions() {
    return atLeast(1, "--partitions", partitions);
  }

  Map<String, String> settings() {
    return settings;
  }

  Map<String, String> brokerSettings() {
    return brokerSettings;
  }

  List<String> schedulerJvm() {
    return words(schedulerJvm);
  }

  List<String> brokerJvm() {
    return words(brokerJvm);
  }

  Optional<Path> dir() {
    return place.dir();
  }

  Optional<Path> json() {
    return json;
  }

  /** Where plots go; empty when none are wanted, or there are none to draw. */
  Optional<Path> plots() {
    return Optional.empty();
  }

  /** Where a recording of the scheduler goes; empty when none is wanted. */
  Optional<Path> profile() {
    return Optional.empty();
  }

  /**
   * {@code usual}, or {@code small} with --quick, unless a number was given.
   *
   * @throws BadOptionException if that is not 1 or more
   */
  int size(String option, Optional<Integer> given, int usual, int small) {
    return atLeast(1, option, given.orElse(quick() ? small : usual));
  }

  /**
   * @throws BadOptionException if the value of an option is below the least
   */
  static int atLeast(int least, String option, int value) {
    if (value < least) {
      throw new BadOptionException(option + " " + value + ": wants " + least + " or more");
    }
    return value;
  }

  /**
   * @throws BadOptionException if the value of an option is above the most
   */
  static int atMost(int most, String option, int value) {
    if (value > most) {
      throw new BadOptionException(option + " " + value + ": wants " + most + " or less");
    }
    return value;
  }

  static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
  }
}
