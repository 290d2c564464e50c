package io.waterclock.cli.dlq;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.read.WindowOptions;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.deadletters.DeadLetterQueue;
import io.waterclock.client.deadletters.LetterFilter;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** A filter of dead letters; a letter must match all options. */
final class LetterOptions {
  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Only letters with this text in their reason, in upper or lower case.")
  Optional<String> reason = Optional.empty();

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description =
          "Only records that were in this topic, and fires for this target. Names where they go: a"
              + " redrive writes to no topic but the scheduler's inputs unless it is named.")
  Optional<String> topic = Optional.empty();

  @Option(
      names = "--owner",
      paramLabel = "OWNER",
      description = "Only records of schedules of this owner.")
  Optional<String> owner = Optional.empty();

  @Option(names = "--key", paramLabel = "KEY", description = "Only records with this key.")
  Optional<String> key = Optional.empty();

  @Option(
      names = "--starts-with",
      paramLabel = "TEXT",
      description = "Only records whose key begins with this text.")
  String keyStart = "";

  @ArgGroup(validate = false)
  WindowOptions window = new WindowOptions();

  /**
   * @param named TOPIC-PARTITION@OFFSET each
   */
  LetterFilter filter(Collection<String> named, Cluster cluster, Instant now) {
    WrongUsage.ifBlank("--reason", reason);
    WrongUsage.ifBlank("--topic", topic);
    WrongUsage.ifBlank("--owner", owner);
    return new LetterFilter(
        places(named, cluster),
        reason,
        topic,
        key,
        keyStart,
        owner,
        window.from(now),
        window.to(now));
  }

  private static Set<Partitions.Place> places(Collection<String> named, Cluster cluster) {
    Set<Partitions.Place> places = new HashSet<>();
    for (String text : named) {
      places.add(place(text, cluster));
    }
    return places;
  }

  static Partitions.Place place(String text, Cluster cluster) {
    String dlq = cluster.topics().dlq();
    Partitions.Place place =
        Partitions.place(text)
            .filter(found -> found.partition().topic().equals(dlq))
            .orElseThrow(
                () ->
                    new WrongUsage(
                        "\"%s\" names no dead letter; write the LETTER that a list shows, for example %s-3@1234."
                            .formatted(text, dlq)));
    if (!cluster.partitions(dlq).contains(place.partition())) {
      throw new Failure("There is no partition " + place.partition() + ".");
    }
    return place;
  }

  DeadLetterQueue queue(Cluster cluster, ReadProgress progress) {
    return new DeadLetterQueue(
        cluster.reader(progress), cluster.topics(), cluster.schemas(), owners(cluster));
  }

  /** Looks for the schedules of the wanted owner once, if there is one. */
  private Function<String, Optional<String>> owners(Cluster cluster) {
    if (owner.isEmpty()) {
      return id -> Optional.empty();
    }
    Set<String> owned =
        cluster.catalogue(ReadProgress.UNSEEN).all().stream()
            .filter(known -> owner.equals(known.schedule().map(Schedule::getOwner)))
            .map(KnownSchedule::id)
            .collect(Collectors.toSet());
    return id -> owner.filter(name -> owned.contains(id));
  }
}
