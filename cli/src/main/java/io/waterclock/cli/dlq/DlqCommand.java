package io.waterclock.cli.dlq;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.TerminalCommand;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.deadletters.DeadLetterQueue;
import io.waterclock.client.deadletters.Destination;
import io.waterclock.client.deadletters.FailedRecord;
import io.waterclock.client.deadletters.LetterFilter;
import io.waterclock.client.deadletters.Resolution;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.occurrences.core.Words;
import io.waterclock.schemas.text.SafeText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "dlq",
    description = {
      "Show dead letters, send them again, or discard them.",
      "",
      "A dead letter is a record that was refused, could not be read, or failed too often. It stays"
          + " until its topic's retention ends (30 days by default), and is listed until it is sent"
          + " again or discarded."
    },
    subcommands = {
      DlqCommand.ListAll.class,
      DlqCommand.Show.class,
      ResolveCommand.RedriveLetters.class,
      ResolveCommand.DiscardLetters.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class DlqCommand extends TerminalCommand {
  private static final int LONGEST_REASON = 200;
  private static final int LONGEST_KEY = 80;

  @Override
  public Integer call() {
    throw new WrongUsage("A command is missing: list, show, redrive or discard.");
  }

  @Command(
      name = "list",
      description = {
        "List dead letters, the newest first.",
        "",
        "With --resolved: list what became of dead letters, by whom and why."
      })
  static final class ListAll extends ReportingCommand {
    @ArgGroup(validate = false, order = 90, heading = "%nDead letters that match:%n")
    LetterOptions options = new LetterOptions();

    @Option(
        names = "--max",
        paramLabel = "N",
        defaultValue = "100",
        description = "Only the newest N (default: ${DEFAULT-VALUE}).")
    int max = 100;

    @Option(
        names = "--resolved",
        description =
            "What was sent again or discarded; of the options for letters only with --from and"
                + " --to.")
    boolean resolved;

    @Override
    public Integer call() {
      requireLeast("--max", max, 1);
      Cluster cluster = cluster();
      DeadLetterQueue queue = options.queue(cluster, progress());
      LetterFilter filter = options.filter(List.of(), cluster, terminal().clock().instant());
      if (resolved) {
        listResolved(queue, filter);
      } else {
        list(queue, filter);
      }
      return ExitCode.OK;
    }

    private void list(DeadLetterQueue queue, LetterFilter filter) {
      Newest<Row> newest = new Newest<>(max, Row::at);
      queue.read(
          filter,
          letter -> {
            newest.add(
                new Row(
                    letter.at(),
                    json
                        ? List.of(LetterText.json(letter, queue.topics()).toString())
                        : cells(letter)));
            return true;
          });
      print(newest, new Table("WRITTEN", "LETTER", "FROM", "KEY", "SENT AGAIN", "REASON"));
      say(newest.seen(), newest.newestFirst().size(), "dead letter");
    }

    private void listResolved(DeadLetterQueue queue, LetterFilter filter) {
      Newest<Row> newest = new Newest<>(max, Row::at);
      queue.resolutions(
          filter,
          one ->
              newest.add(
                  new Row(one.at(), json ? List.of(LetterText.json(one).toString()) : cells(one))));
      print(newest, new Table("DONE", "LETTER", "WHAT", "BY", "NOTE"));
      say(newest.seen(), newest.newestFirst().size(), "resolved dead letter");
    }

    private void print(Newest<Row> newest, Table table) {
      if (json) {
        newest.newestFirst().forEach(row -> println(row.cells().get(0)));
        return;
      }
      if (newest.seen() > 0) {
        newest.newestFirst().forEach(row -> table.row(row.cells()));
        table.print(terminal().out());
      }
    }

    private void say(long seen, int shown, String what) {
      String text = Words.number(seen, what);
      String all = seen > shown ? text + ", of which the newest " + shown + " are shown" : text;
      if (json) {
        note(all);
      } else {
        println(all);
      }
    }

    private static List<String> cells(FailedRecord letter) {
      return List.of(
          letter.at().truncatedTo(ChronoUnit.SECONDS).toString(),
          letter.position(),
          letter.from().origin().map(FailedRecord.Origin::position).orElse("-"),
          SafeText.cut(LetterText.text(letter.content().key()), LONGEST_KEY),
          Integer.toString(letter.from().redriven()),
          SafeText.cut(letter.reason(), LONGEST_REASON));
    }

    private static List<String> cells(Resolution one) {
      return List.of(
          one.at().truncatedTo(ChronoUnit.SECONDS).toString(),
          one.letter().partition() + "@" + one.letter().offset(),
          LetterText.word(one.action()),
          one.author().isEmpty() ? "-" : one.author(),
          SafeText.cut(one.note(), LONGEST_REASON));
    }
  }

  /** What a list keeps of a letter. */
  private record Row(Instant at, List<String> cells) {}

  /** The newest of many; holds no more than its bound. */
  private static final class Newest<T> {
    private final int most;
    private final Comparator<T> byTime;
    private final PriorityQueue<T> kept;
    private long seen;

    Newest(int most, Function<T, Instant> at) {
      this.most = most;
      this.byTime = Comparator.comparing(at);
      this.kept = new PriorityQueue<>(byTime);
    }

    void add(T one) {
      seen++;
      kept.add(one);
      if (kept.size() > most) {
        kept.remove();
      }
    }

    long seen() {
      return seen;
    }

    List<T> newestFirst() {
      List<T> all = new ArrayList<>(kept);
      all.sort(byTime.reversed());
      return all;
    }
  }

  @Command(
      name = "show",
      description = {
        "Show one dead letter: its reason, the record as it was, and where a redrive sends it.",
        "",
        "Bytes that are no UTF-8 are in base 64."
      })
  static final class Show extends ReportingCommand {
    @Parameters(
        paramLabel = "LETTER",
        description = "TOPIC-PARTITION@OFFSET, as a list shows it, such as waterclock.dlq-3@1234.")
    String letter = "";

    @Override
    public Integer call() {
      Cluster cluster = cluster();
      Partitions.Place place = LetterOptions.place(letter, cluster);
      DeadLetterQueue queue = new LetterOptions().queue(cluster, ReadProgress.UNSEEN);
      FailedRecord found =
          queue
              .find(place)
              .orElseThrow(() -> new Failure("There is no dead letter " + letter + "."));
      Destination destination = queue.destination(found);
      if (json) {
        println(LetterText.whole(found, cluster.topics(), destination));
        return ExitCode.OK;
      }
      println("letter: " + found.position() + " at " + found.at());
      println("reason: " + found.reason());
      println("from: " + found.from().origin().map(FailedRecord.Origin::position).orElse("-"));
      found.from().group().ifPresent(group -> println("group: " + group));
      println("sent again: " + found.from().redriven());
      println(
          destination instanceof Destination.To to
              ? "a redrive sends it to: " + to.topic()
              : "a redrive leaves it: " + ((Destination.Nowhere) destination).why());
      println("key: " + LetterText.text(found.content().key()));
      for (Header header : found.content().headers()) {
        println(
            "header %s: %s"
                .formatted(header.key(), LetterText.text(Optional.ofNullable(header.value()))));
      }
      println("value: " + LetterText.text(found.content().value()));
      return ExitCode.OK;
    }
  }
}
