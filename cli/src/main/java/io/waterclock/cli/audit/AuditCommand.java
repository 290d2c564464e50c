package io.waterclock.cli.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.audit.Account;
import io.waterclock.audit.Audit;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.read.WindowOptions;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Table;
import io.waterclock.console.audit.AuditReport;
import io.waterclock.console.audit.AuditTopics;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Words;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "audit",
    description = {
      "Prove that every occurrence was fired or missed, once: occurrences = fired + missed.",
      "",
      "Computes the occurrences of each revision again and compares them with the topics fires and"
          + " missed; it does not trust the counts in records. Lists each missing and each double"
          + " occurrence, fires that were too early or too late, and definitions without effect.",
      "",
      "Exit code 0 if everything is proved, 1 if something is wrong, 3 if nothing is known to be wrong"
          + " but not everything is proved.",
      "",
      "The audit leaves out the time in which a schedule is paused, disabled or faulted until the"
          + " schedule continues, undecided occurrences, and the fires of triggers and backfills."
    })
public final class AuditCommand extends ReportingCommand {
  /** Nothing is known to be wrong, but not everything is proved. */
  private static final int NOT_PROVED = 3;

  @Parameters(paramLabel = "ID", arity = "0..1", description = "Only this schedule.")
  Optional<String> id = Optional.empty();

  @Mixin WindowOptions window = new WindowOptions();

  @Mixin ZoneOption defaultZone = new ZoneOption();

  @Override
  public Integer call() {
    Window asked = asked();
    Cluster cluster = cluster();
    AuditTopics topics =
        AuditTopics.read(
            new AuditTopics.Source(
                cluster.reader(progress()),
                cluster.topics(),
                cluster.schemas(),
                defaultZone.zone(),
                Long.MAX_VALUE),
            id,
            terminal().clock());
    if (id.isPresent() && !topics.audit().scheduleIds().contains(id.get())) {
      throw new Failure("The topics contain no schedule " + id.get() + ".");
    }
    AuditReport report = AuditReport.of(topics, asked);
    if (json) {
      printJson(report);
      terminal().requireWhole();
    } else {
      print(report);
    }
    topics.unreadable().forEach(one -> note("skipped " + one.position() + ": it cannot be read"));
    if (!report.findings().isEmpty()) {
      return ExitCode.SOFTWARE;
    }
    return report.unproven().isEmpty() && topics.unreadable().isEmpty() ? ExitCode.OK : NOT_PROVED;
  }

  /** Instants are whole milliseconds: one less turns an inclusive bound into an exclusive one. */
  private Window asked() {
    Instant now = terminal().clock().instant();
    Instant from = window.from(now);
    Instant to = window.to(now);
    return new Window(
        from.equals(Instant.MIN) ? from : from.minusMillis(1),
        to.equals(Instant.MAX) ? to : to.minusMillis(1));
  }

  private void print(AuditReport report) {
    Table table = new Table("ID", "REVISION", "AFTER", "THROUGH", "OCCURRENCES", "FIRED", "MISSED");
    for (Account account : report.accounts()) {
      table.row(
          List.of(
              account.scheduleId(),
              account.revision(),
              account.after().toString(),
              account.through().toString(),
              text(account.occurrences()),
              Long.toString(account.fired()),
              text(account.missed())));
      if (account.waiting() > 0) {
        table.note("and " + account.waiting() + " waiting for a limit");
      }
      account.findings().forEach(finding -> table.note(text(finding)));
    }
    for (Finding finding : report.ignored()) {
      table.row(List.of(finding.scheduleId(), finding.revision(), "-", "-", "-", "-", "-"));
      table.note(text(finding));
    }
    for (Audit.Unproven unproven : report.unproven()) {
      table.row(List.of(unproven.scheduleId(), unproven.revision(), "-", "-", "-", "-", "-"));
      table.note("not proved: " + unproven.reason());
    }
    table.print(terminal().out());
    println(summary(report));
  }

  private static String text(Finding finding) {
    boolean single = finding.first().equals(finding.last());
    String range = single ? "" : " to " + finding.last() + " (" + text(finding.count()) + ")";
    return "%s %s%s: %s".formatted(finding.kind(), finding.first(), range, finding.detail());
  }

  private static String summary(AuditReport report) {
    String wrong =
        report.findings().isEmpty()
            ? "nothing is missing or double"
            : Words.number(report.findings().size(), "finding");
    return "%s%s occurrences, %s fired, %s%s missed: %s%s"
        .formatted(
            report.occurrences().exact() && report.missed().exact() ? "" : "at least ",
            report.occurrences().value(),
            report.fired(),
            report.waiting() == 0 ? "" : report.waiting() + " waiting, ",
            report.missed().value(),
            wrong,
            report.unproven().isEmpty() ? "" : "; not proved: " + report.unproven().size());
  }

  private static String text(Count count) {
    return count.exact() ? Long.toString(count.value()) : "at least " + count.value();
  }

  private void printJson(AuditReport report) {
    for (Account account : report.accounts()) {
      ObjectNode tree = line(account.scheduleId(), account.revision());
      tree.put("after", account.after().toString());
      tree.put("through", account.through().toString());
      tree.put("occurrences", account.occurrences().value());
      tree.put("occurrences_is_lower_bound", !account.occurrences().exact());
      tree.put("fired", account.fired());
      tree.put("waiting", account.waiting());
      tree.put("missed", account.missed().value());
      tree.put("missed_is_lower_bound", !account.missed().exact());
      account.findings().forEach(finding -> add(finding, tree));
      println(tree);
    }
    for (Finding finding : report.ignored()) {
      ObjectNode tree = line(finding.scheduleId(), finding.revision());
      add(finding, tree);
      println(tree);
    }
    for (Audit.Unproven unproven : report.unproven()) {
      ObjectNode tree = line(unproven.scheduleId(), unproven.revision());
      tree.put("not_proved", unproven.reason());
      println(tree);
    }
  }

  private static void add(Finding finding, ObjectNode tree) {
    ObjectNode found = tree.withArray("findings").addObject();
    found.put("kind", finding.kind().name());
    found.put("first", finding.first().toString());
    found.put("last", finding.last().toString());
    found.put("count", finding.count().value());
    found.put("detail", finding.detail());
  }

  private static ObjectNode line(String scheduleId, String revision) {
    return JsonNodeFactory.instance.objectNode().put("id", scheduleId).put("revision", revision);
  }
}
