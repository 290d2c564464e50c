package io.waterclock.schemas.brokers;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.TopicConfig;

/**
 * A setting of topics that the scheduler and its workers want, but do not need on every topic:
 * where a cluster does not allow it, they run without, and something is lost.
 */
public enum WantedSetting {
  COMPRESSION_TYPE(
      TopicConfig.COMPRESSION_TYPE_CONFIG,
      "a batch of 100 bytes from a hostile producer may take up to 2 GB of memory in every process"
          + " that reads it"),
  DELETE_RETENTION(
      TopicConfig.DELETE_RETENTION_MS_CONFIG,
      "after an outage that is longer than this time, a start reads the schedules once more to find"
          + " what was deleted, and state on disk is reused for half of it at most"),
  TIMESTAMP_BEFORE_MAX(
      TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG,
      "a definition or an outcome that is older than this time cannot be moved from a wrong"
          + " partition to the right one"),
  MIN_COMPACTION_LAG(
      TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG,
      "after an outage that is longer than this time, the scheduler sees the last definition of a"
          + " schedule or a calendar only, and not what was defined in between"),
  RETENTION(
      TopicConfig.RETENTION_MS_CONFIG,
      "audit, history and consumers that were stopped find nothing older"),
  SEGMENT_BYTES(
      TopicConfig.SEGMENT_BYTES_CONFIG,
      "the brokers compact later, so that an instance without state on disk reads more at its start,"
          + " and a worker more at each takeover");

  private final String key;
  private final String loss;

  WantedSetting(String key, String loss) {
    this.key = key;
    this.loss = loss;
  }

  /** The key of the topic's setting, as {@code topics.accept} names it. */
  public String key() {
    return key;
  }

  /** A clause that says what is lost without it. */
  public String loss() {
    return loss;
  }

  /** The setting with this key; empty if the scheduler does not want it, or needs it always. */
  public static Optional<WantedSetting> of(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key.equals(key)).findFirst();
  }

  /** The value of {@code topics.accept} for these settings. */
  public static String text(Collection<WantedSetting> settings) {
    return settings.stream()
        .distinct()
        .map(WantedSetting::key)
        .sorted()
        .collect(Collectors.joining(","));
  }

  /**
   * Reads the value of {@code topics.accept}.
   *
   * @param problems receives an entry for each name that is none
   */
  public static Set<WantedSetting> parse(String text, List<String> problems) {
    Set<WantedSetting> accepted = EnumSet.noneOf(WantedSetting.class);
    for (String part : text.split(",", -1)) {
      String name = part.strip();
      of(name)
          .ifPresentOrElse(
              accepted::add,
              () ->
                  problems.add(
                      ("\"%s\" names no setting of topics that the scheduler can do without; these"
                              + " are: %s")
                          .formatted(name, text(EnumSet.allOf(WantedSetting.class)))));
    }
    return accepted;
  }
}
