package io.waterclock.topology.scheduler.task;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What clients write, when the scheduler is down, and how long runs take.
 *
 * @param inputs by timestamp
 * @param outages in order, apart
 */
record History(List<Input> inputs, List<Outage> outages, RandomRuns runs, Instant end) {

  /** The scheduler decides nothing that is due after the first instant, until the second. */
  record Outage(Instant from, Instant to) {
    boolean covers(Instant at) {
      return !at.isBefore(from) && !at.isAfter(to);
    }
  }

  History {
    inputs = List.copyOf(inputs);
    outages = List.copyOf(outages);
  }

  /** The same history without outages. */
  History undisturbed() {
    return new History(inputs, List.of(), runs, end);
  }

  /** Histories that lack an outage or records: many at a time first, then one. */
  List<History> smaller() {
    List<History> all = new ArrayList<>();
    for (int i = 0; i < outages.size() && outages.size() > 1; i++) {
      List<Outage> rest = new ArrayList<>(outages);
      rest.remove(i);
      all.add(new History(inputs, rest, runs, end));
    }
    for (int length = inputs.size() / 2; length > 0; length /= 2) {
      for (int from = 0; from < inputs.size(); from += length) {
        List<Input> rest = new ArrayList<>(inputs.subList(0, from));
        rest.addAll(inputs.subList(Math.min(from + length, inputs.size()), inputs.size()));
        all.add(new History(rest, outages, runs, end));
      }
    }
    return all;
  }

  @Override
  public String toString() {
    String down =
        outages.stream()
            .map(
                outage ->
                    "  down from %s to %s\n"
                        .formatted(seconds(outage.from()), seconds(outage.to())))
            .collect(Collectors.joining());
    return down + inputs.stream().map(input -> input + "\n").collect(Collectors.joining());
  }

  static String seconds(Instant at) {
    return String.valueOf((at.toEpochMilli() - SimulatedCluster.START.toEpochMilli()) / 1_000.0);
  }
}
