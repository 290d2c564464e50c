package io.waterclock.bench.chaos.account;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.bench.chaos.account.Emitted.Fired;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What workers reported of the fires of a schedule, by fire key. */
record ObservedRuns(Map<String, Report> reports) {
  /**
   * @param startedMs the latest start; the least value if none was reported
   * @param ended the first end, by when it was written and when a consumer had it
   */
  private record Report(long startedMs, CommandsGiven.Moment ended) {}

  private static final CommandsGiven.Moment NEVER =
      new CommandsGiven.Moment(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2);

  static ObservedRuns of(List<Entry> outcomes) {
    Map<String, Report> reports = new HashMap<>();
    for (Entry entry : outcomes) {
      JsonNode tree = Trees.parse(entry.value().orElseThrow());
      Report report =
          tree.get("state").asText().equals("started")
              ? new Report(entry.timestampMs(), NEVER)
              : new Report(Long.MIN_VALUE / 2, CommandsGiven.Moment.of(entry));
      reports.merge(
          tree.get("fire_key").asText(),
          report,
          (one, other) ->
              new Report(
                  Math.max(one.startedMs(), other.startedMs()),
                  one.ended().writtenMs() <= other.ended().writtenMs()
                      ? one.ended()
                      : other.ended()));
    }
    return new ObservedRuns(reports);
  }

  /** The earliest moment at which the scheduler may consider a fire ended. */
  long earliestEndMs(Fired fire, long timeoutMs) {
    Report report = report(fire);
    return Math.min(
        report.ended().writtenMs(), Math.max(fire.decidedMs(), report.startedMs()) + timeoutMs);
  }

  /** The latest one, if it takes so long to read a report. */
  long latestEndMs(Fired fire, long timeoutMs, long readingMs) {
    Report report = report(fire);
    return Math.min(
        report.ended().readMs() + readingMs,
        Math.max(fire.decidedMs(), report.startedMs()) + timeoutMs + readingMs);
  }

  private Report report(Fired fire) {
    return reports.getOrDefault(fire.entry().key(), new Report(Long.MIN_VALUE / 2, NEVER));
  }
}
