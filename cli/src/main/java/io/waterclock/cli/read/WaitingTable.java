package io.waterclock.cli.read;

import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.FireLine;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.console.model.TriggerLine;
import io.waterclock.console.model.Upcoming;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.SafeText;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * The table of next occurrences that a scheduler shows at its start: the first {@value #ROWS} by
 * time, with cells of a bounded length. All that it reads is in the memory of the scheduler at
 * once, so it shows nothing if the topics contain more than {@value #MOST_READ} records about
 * schedules or {@link #MOST_BYTES}.
 */
public final class WaitingTable {
  static final int ROWS = 20;
  static final int MOST_READ = 50_000;

  /** A definition in memory takes up to 40 times its bytes. */
  static final int MOST_BYTES = 4 << 20;

  private static final int LONGEST = 40;

  private WaitingTable() {}

  private record Waiting(KnownSchedule entry, Instant next) {}

  /**
   * Reads the topics and prints the table.
   *
   * @param zone of schedules that name none
   * @throws Failure if the topics cannot be read
   */
  public static void print(Cluster cluster, ZoneId zone, Terminal terminal) {
    List<TopicPartition> all = new ArrayList<>();
    for (String topic :
        List.of(
            cluster.topics().schedules(),
            cluster.topics().revisions(),
            cluster.topics().status())) {
      all.addAll(cluster.partitions(topic));
    }
    Optional<List<KnownSchedule>> entries =
        cluster.reader().size(all) > MOST_READ
            ? Optional.empty()
            : cluster.catalogue(ReadProgress.UNSEEN).all(MOST_BYTES);
    entries.ifPresentOrElse(
        found -> print(cluster, found, zone, terminal),
        () ->
            terminal.println(
                "More than %s records about schedules, or %s MB of them, are too many to show here: waterclock list shows them."
                    .formatted(MOST_READ, MOST_BYTES >> 20)));
    terminal.flush();
  }

  private static void print(
      Cluster cluster, List<KnownSchedule> entries, ZoneId zone, Terminal terminal) {
    Instant now = terminal.clock().instant();
    Upcoming upcoming = new CalendarTopic(cluster).upcoming(zone, entries);
    List<Waiting> waiting = new ArrayList<>();
    for (KnownSchedule entry : entries) {
      upcoming.dueAfter(entry, now, 1).stream()
          .flatMap(List::stream)
          .forEach(next -> waiting.add(new Waiting(entry, next)));
    }
    waiting.sort(Comparator.comparing(Waiting::next).thenComparing(one -> one.entry().id()));
    print(waiting, terminal);
  }

  private static void print(List<Waiting> waiting, Terminal terminal) {
    Table table = new Table("NEXT", "ID", "TRIGGER", "TYPE", "PAYLOAD");
    waiting.stream().limit(ROWS).forEach(one -> table.row(row(one)));
    if (!waiting.isEmpty()) {
      table.print(terminal.out());
    }
    int more = waiting.size() - ROWS;
    terminal.println(
        (waiting.size() == 1 ? "1 schedule waits" : waiting.size() + " schedules wait")
            + (more > 0 ? ", " + more + " more than are shown: waterclock list" : ""));
  }

  private static List<String> row(Waiting waiting) {
    Schedule schedule = waiting.entry().schedule().orElseThrow();
    return List.of(
        waiting.next().toString(),
        waiting.entry().id(),
        cut(TriggerLine.withDialect(schedule)),
        Optional.ofNullable(schedule.getType()).map(WaitingTable::cut).orElse("-"),
        Optional.ofNullable(schedule.getPayload())
            .map(FireLine::payload)
            .map(WaitingTable::cut)
            .orElse("-"));
  }

  private static String cut(String text) {
    return SafeText.cut(text, LONGEST);
  }
}
