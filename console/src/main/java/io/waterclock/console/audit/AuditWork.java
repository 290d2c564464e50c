package io.waterclock.console.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.audit.Account;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.jobs.Work;
import io.waterclock.schemas.Topics;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * Audits one schedule, or all, and shows the findings about those that a person may see. It refuses
 * to read more than {@value #MOST_RECORDS} records, and ends when what it must keep takes more
 * memory than its source says.
 *
 * @param id the only schedule to audit
 * @param visible the ids that may be shown
 */
public record AuditWork(
    AuditTopics.Source source, Optional<String> id, Predicate<String> visible, InstantSource clock)
    implements Work {
  private static final long MOST_RECORDS = 20_000_000;
  private static final int SHOWN = 1_000;

  @Override
  public ObjectNode run(Progress progress) {
    if (id.isEmpty()) {
      checkSize();
    }
    TopicReader reader =
        new TopicReader(
            source.reader().consumers(),
            source.reader().failures(),
            (read, all) -> {
              if (progress.isCancelled()) {
                throw new CancellationException("Cancelled.");
              }
              progress.at(read, all);
            });
    AuditTopics topics = read(reader);
    AuditReport all = AuditReport.of(topics, new Window(Instant.MIN, Instant.MAX));
    return json(all.only(visible), topics);
  }

  private AuditTopics read(TopicReader reader) {
    try {
      return AuditTopics.read(
          new AuditTopics.Source(
              reader, source.topics(), source.schemas(), source.zone(), source.mostBytes()),
          id,
          clock);
    } catch (AuditTopics.TooLargeException e) {
      throw new IllegalStateException(
          "The audit needs more memory than a console has for it ("
              + source.mostBytes() / 1_000_000
              + " MB): "
              + (id.isEmpty() ? "audit one schedule, or " : "")
              + "run waterclock audit.",
          e);
    }
  }

  private void checkSize() {
    Topics topics = source.topics();
    long records = 0;
    for (String topic : List.of(topics.fires(), topics.missed(), topics.revisions())) {
      List<TopicPartition> partitions = source.reader().partitions(topic);
      records += source.reader().size(partitions);
    }
    if (records > MOST_RECORDS) {
      throw new IllegalStateException(
          "The topics hold "
              + records
              + " records, which is too much for the memory of a console: audit one schedule, or"
              + " run waterclock audit.");
    }
  }

  private ObjectNode json(AuditReport report, AuditTopics topics) {
    List<Account> accounts = report.accounts();
    ObjectNode tree =
        JsonNodeFactory.instance
            .objectNode()
            .put("revisions", accounts.size())
            .put("exact", report.occurrences().exact() && report.missed().exact())
            .put("occurrences", report.occurrences().value())
            .put("fired", report.fired())
            .put("waiting", report.waiting())
            .put("missed", report.missed().value())
            .put("findings_count", report.findings().size())
            .put("unproven_count", report.unproven().size())
            .put(
                "unreadable_count",
                topics.unreadable().stream().filter(one -> visible.test(one.key())).count());
    accounts.stream()
        .map(Account::after)
        .min(Instant::compareTo)
        .filter(after -> after.isAfter(Instant.EPOCH))
        .ifPresent(after -> tree.put("after", after.toString()));
    accounts.stream()
        .map(Account::through)
        .max(Instant::compareTo)
        .ifPresent(through -> tree.put("through", through.toString()));
    ArrayNode found = tree.putArray("findings");
    report.findings().stream().limit(SHOWN).forEach(finding -> add(finding, found));
    ArrayNode open = tree.putArray("unproven");
    report.unproven().stream()
        .limit(SHOWN)
        .forEach(
            one ->
                open.addObject()
                    .put("id", one.scheduleId())
                    .put("revision", one.revision())
                    .put("why", one.reason()));
    return tree;
  }

  private static void add(Finding finding, ArrayNode list) {
    list.addObject()
        .put("kind", finding.kind().name())
        .put("id", finding.scheduleId())
        .put("revision", finding.revision())
        .put("first", finding.first().toString())
        .put("last", finding.last().toString())
        .put("count", finding.count().value())
        .put("detail", finding.detail());
  }
}
