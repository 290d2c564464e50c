package io.waterclock.cli.dlq;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.ChangeNote;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.deadletters.DeadLetterQueue;
import io.waterclock.client.deadletters.HandledLetter;
import io.waterclock.client.deadletters.LetterFilter;
import io.waterclock.client.deadletters.Redrive;
import io.waterclock.client.deadletters.RedriveException;
import io.waterclock.client.deadletters.Resolution;
import io.waterclock.client.topics.Partitions;
import io.waterclock.occurrences.core.Words;
import io.waterclock.runtime.brokers.Right;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.brokers.RootCause;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Resolves the dead letters that are named, or that match. */
@Command
abstract class ResolveCommand extends ReportingCommand {
  /** Different reasons in a summary. */
  private static final int MOST_REASONS = 20;

  @Parameters(
      arity = "0..*",
      paramLabel = "LETTER",
      description = "Dead letters as a list shows them, such as waterclock.dlq-3@1234.")
  List<String> letters = List.of();

  @ArgGroup(validate = false, order = 90, heading = "%nDead letters that match:%n")
  LetterOptions options = new LetterOptions();

  @Option(names = "--all", description = "Every dead letter.")
  boolean all;

  @Option(
      names = "--dry-run",
      description = "Only say what would be done; with --json, for each letter.")
  boolean dryRun;

  @Option(names = "--yes", description = "Do not ask.")
  boolean yes;

  @Mixin ChangeNote said = new ChangeNote();

  private final Resolution.Action action;
  private final String done;

  /**
   * @param done in a sentence, such as "sent again"
   */
  ResolveCommand(Resolution.Action action, String done) {
    this.action = action;
    this.done = done;
  }

  @Command(
      name = "redrive",
      description = {
        "Send dead letters again: the record as it was goes to where it came from.",
        "",
        "A record of schedules, commands, outcomes or later keeps its timestamp, so it acts as if it"
            + " had been read when it was written, and changes nothing that was written after it. A"
            + " calendar or a limit stays, since the record that is written last counts: put it"
            + " again. A fire that did not reach its target goes to that target. Each"
            + " letter is sent again once, also if this command is killed and started again."
      })
  static final class RedriveLetters extends ResolveCommand {
    @Option(
        names = "--force",
        description =
            "Also records that were sent again "
                + Redrive.MOST_TIMES
                + " times and failed each time.")
    boolean force;

    RedriveLetters() {
      super(Resolution.Action.REDRIVEN, "sent again");
    }

    @Override
    boolean isForced() {
      return force;
    }
  }

  @Command(
      name = "discard",
      description = {
        "Discard dead letters: they are no longer listed, and no redrive sends them.",
        "",
        "The records stay in the topic until its retention ends; --resolved lists them."
      })
  static final class DiscardLetters extends ResolveCommand {
    DiscardLetters() {
      super(Resolution.Action.DISCARDED, "discarded");
    }

    @Override
    boolean isForced() {
      return true;
    }
  }

  /** Whether it also resolves what a guard would leave. */
  abstract boolean isForced();

  @Override
  public Integer call() {
    Cluster cluster = cluster();
    LetterFilter filter = options.filter(letters, cluster, terminal().clock().instant());
    if (filter.isAll() != all) {
      throw new WrongUsage(
          all
              ? "--all goes without letters and other filters."
              : "A LETTER or a filter such as --reason, --topic or --all is needed.");
    }
    DeadLetterQueue queue = options.queue(cluster, progress());
    Redrive redrive = new Redrive(queue, cluster.redriving());
    Redrive.Order order =
        new Redrive.Order(
            action,
            filter,
            letter -> true,
            options.topic.map(Set::of).orElse(Set.of()),
            isForced(),
            said.headers());
    if (dryRun) {
      Summary summary = new Summary(order.filter().places());
      redrive.preview(
          order,
          handled -> {
            report(handled, cluster.topics());
            return summary.add(handled);
          });
      summary.print("would be ");
      return summary.exitCode();
    }
    if (!yes) {
      ask(redrive, order);
    }
    return run(redrive, order, cluster);
  }

  private void ask(Redrive redrive, Redrive.Order order) {
    Summary summary = new Summary(order.filter().places());
    redrive.preview(order, summary::add);
    if (summary.count > 0) {
      summary.print("would be ");
      if (!terminal().confirm("go on?")) {
        throw new Failure("Nothing was changed.");
      }
    }
  }

  private int run(Redrive redrive, Redrive.Order order, Cluster cluster) {
    Summary summary = new Summary(order.filter().places());
    try {
      redrive.run(
          order,
          () -> true,
          handled -> {
            report(handled, cluster.topics());
            summary.add(handled);
          });
    } catch (RedriveException e) {
      summary.printHandled("");
      String id = Redrive.transactionalId(cluster.topics().prefix());
      throw RootCause.chain(e)
          .filter(TransactionalIdAuthorizationException.class::isInstance)
          .map(TransactionalIdAuthorizationException.class::cast)
          .findFirst()
          .<RuntimeException>map(
              cause -> cluster.failure(cause, Right.transactionalId(AclOperation.WRITE, id)))
          .orElse(e);
    }
    summary.print("");
    return summary.exitCode();
  }

  private void report(HandledLetter handled, Topics topics) {
    if (json) {
      ObjectNode tree = LetterText.json(handled.letter(), topics);
      tree.put("done", handled.isDone()).put("verdict", LetterText.word(handled.verdict()));
      println(tree.put(handled.isDone() ? "to" : "why", handled.text()));
    }
  }

  /** Counts letters by what becomes of them. Holds a bounded number of different reasons. */
  private final class Summary {
    private final Map<String, Long> doneTo = new TreeMap<>();
    private final Map<String, Long> stay = new TreeMap<>();
    private final Set<String> missing = new TreeSet<>();
    private long count;

    /**
     * @param named the letters that must be there; empty if none is named
     */
    Summary(Set<Partitions.Place> named) {
      named.forEach(place -> missing.add(place.partition() + "@" + place.offset()));
    }

    /** Always true, so that the next letter comes. */
    boolean add(HandledLetter handled) {
      count++;
      missing.remove(handled.letter().position());
      Map<String, Long> counts = handled.isDone() ? doneTo : stay;
      boolean isKnown = counts.containsKey(handled.text()) || counts.size() < MOST_REASONS;
      counts.merge(isKnown ? handled.text() : "other reasons", 1L, Long::sum);
      return true;
    }

    int exitCode() {
      return stay.isEmpty() && missing.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    void print(String would) {
      printHandled(would);
      if (!missing.isEmpty()) {
        note(
            "not found, resolved already, or left out by another option: "
                + String.join(", ", missing));
      } else if (count == 0) {
        note("no dead letter matches.");
      }
    }

    /** On standard error where standard output has JSON. */
    void printHandled(String would) {
      doneTo.forEach(
          (to, number) ->
              say(
                  "%s %s%s%s"
                      .formatted(letters(number), would, done, to.isEmpty() ? "" : " to " + to)));
      stay.forEach(
          (why, number) ->
              say("%s %s: %s".formatted(letters(number), number == 1 ? "stays" : "stay", why)));
    }

    private void say(String line) {
      if (json) {
        note(line);
      } else {
        println(line);
      }
    }

    private static String letters(long number) {
      return Words.number(number, "dead letter");
    }
  }
}
