package io.waterclock.topology.scheduler.task;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What clients write, when the scheduler is down, and how long runs take.
 *
 * @param inputs by timestamp
 * @param outages in order, apart
 */
record History(List<Input> inputs, List<Outage> outages, RandomRuns runs, Instant end) {

  /** The records up to here are part of each history. */
  private static final Instant FIRST = SimulatedCluster.START.plusSeconds(1);

  /** The scheduler reads nothing, or little. */
  record Outage(Instant from, Instant to, Kind kind) {
    enum Kind {
      DOWN,
      /** It keeps its partitions, and neither reads nor decides. */
      STALLED,
      /** It is up, but late to read its input. */
      BEHIND
    }

    boolean lags() {
      return kind == Kind.BEHIND;
    }

    boolean covers(Instant at) {
      return !at.isBefore(from) && !at.isAfter(to);
    }
  }

  History {
    inputs = List.copyOf(inputs);
    outages = List.copyOf(outages);
  }

  /** The schedules whose occurrences go on. */
  Set<String> recurring() {
    return Stream.of("\"cron\"", "\"every\"").flatMap(this::idsWith).collect(Collectors.toSet());
  }

  /** The schedules that depend on their runs. */
  Set<String> overlapping() {
    return idsWith("\"overlap\"").collect(Collectors.toSet());
  }

  private Stream<String> idsWith(String field) {
    return inputs.stream()
        .filter(input -> input.json().filter(json -> json.contains(field)).isPresent())
        .map(Input::key);
  }

  /** How long what was due in the outages may wait for the runs before it. */
  Duration longestReplay() {
    return overlapping().isEmpty()
        ? Duration.ZERO
        : outages.stream()
            .map(outage -> Duration.between(outage.from(), outage.to()))
            .reduce(RandomRuns.LONGEST, Duration::plus);
  }

  /** The same history without outages. */
  History undisturbed() {
    return new History(inputs, List.of(), runs, end);
  }

  /**
   * True if each command comes after a definition of its schedule, unless there was none before.
   */
  private boolean isLike(History larger) {
    return inputs.stream()
        .filter(input -> input.topic() == Input.Topic.COMMANDS)
        .allMatch(command -> defines(command) == larger.defines(command));
  }

  private boolean defines(Input command) {
    return isDefined(command.key(), command.at());
  }

  /** True if the last record of a schedule before an instant defines it. */
  boolean isDefined(String id, Instant by) {
    return inputs.stream()
        .filter(input -> input.topic() == Input.Topic.SCHEDULES)
        .filter(input -> input.key().equals(id) && input.at().isBefore(by))
        .reduce((first, second) -> second)
        .filter(last -> last.json().isPresent())
        .isPresent();
  }

  /** Histories that lack an outage or later records: many at a time first, then one. */
  List<History> smaller() {
    List<History> all = new ArrayList<>();
    for (int i = 0; i < outages.size() && outages.size() > 1; i++) {
      List<Outage> rest = new ArrayList<>(outages);
      rest.remove(i);
      all.add(new History(inputs, rest, runs, end));
    }
    int first = (int) inputs.stream().filter(input -> !input.at().isAfter(FIRST)).count();
    for (int length = inputs.size() / 2; length > 0; length /= 2) {
      for (int from = first; from < inputs.size(); from += length) {
        List<Input> rest = new ArrayList<>(inputs.subList(0, from));
        rest.addAll(inputs.subList(Math.min(from + length, inputs.size()), inputs.size()));
        all.add(new History(rest, outages, runs, end));
      }
    }
    return all.stream().filter(smaller -> smaller.isLike(this)).toList();
  }

  @Override
  public String toString() {
    String down =
        outages.stream()
            .map(
                outage ->
                    "  %s from %s to %s\n"
                        .formatted(outage.kind(), seconds(outage.from()), seconds(outage.to())))
            .collect(Collectors.joining());
    return down + inputs.stream().map(input -> input + "\n").collect(Collectors.joining());
  }

  static String seconds(Instant at) {
    return String.valueOf((at.toEpochMilli() - SimulatedCluster.START.toEpochMilli()) / 1_000.0);
  }
}
