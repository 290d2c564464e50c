package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * A record that a client writes.
 *
 * @param partition where its partitioner puts it
 * @param json empty for a tombstone
 */
record Input(Topic topic, int partition, String key, Optional<String> json, Instant at) {
  enum Topic {
    SCHEDULES(Topics::schedules),
    COMMANDS(Topics::commands),
    OUTCOMES(Topics::outcomes),
    CALENDARS(Topics::calendars);

    private final Function<Topics, String> name;

    Topic(Function<Topics, String> name) {
      this.name = name;
    }

    String in(Topics topics) {
      return name.apply(topics);
    }
  }

  /** True for a record after which the schedule no longer fires what is undecided. */
  boolean wins() {
    return switch (topic) {
      case SCHEDULES -> json.isEmpty() || json.get().contains("\"enabled\":false");
      case COMMANDS -> json.orElse("").contains("\"pause\"");
      case OUTCOMES -> json.orElse("").contains("\"failed\"");
      case CALENDARS -> false;
    };
  }

  @Override
  public String toString() {
    Duration since = Duration.between(SimulatedCluster.START, at);
    return "%8.3f %s-%d %s %s"
        .formatted(
            since.toMillis() / 1_000.0,
            topic,
            partition,
            key,
            json.map(text -> text.replaceAll(" +", " ")).orElse("deleted"));
  }
}
