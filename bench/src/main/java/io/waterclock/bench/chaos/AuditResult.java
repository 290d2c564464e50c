package io.waterclock.bench.chaos;

import io.waterclock.audit.Account;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.bench.rig.Clients;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.audit.AuditReport;
import io.waterclock.console.audit.AuditTopics;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What {@code waterclock audit} says of the same topics.
 *
 * @param occurrences those that it proved, or found wanting
 * @param late overruns: a record was heeded more than 5 s after it was written. Slow connections
 *     make some, and the account has its own bound
 * @param notes its findings, and what it could not prove
 */
record AuditResult(long occurrences, long findings, long late, int unproven, List<String> notes) {
  static AuditResult of(String bootstrapServers, Topics topics, SchemaSource schemas) {
    AuditTopics read =
        AuditTopics.read(
            new AuditTopics.Source(
                new TopicReader(() -> Clients.consumer(bootstrapServers, Map.of())),
                topics,
                schemas,
                ZoneOffset.UTC),
            Optional.empty(),
            InstantSource.system());
    AuditReport report = AuditReport.of(read, new Window(Instant.MIN, Instant.MAX));
    return new AuditResult(
        report.accounts().stream().map(Account::occurrences).mapToLong(one -> one.value()).sum(),
        report.findings().stream().filter(one -> one.kind() != Finding.Kind.OVERRUN).count(),
        report.findings().stream().filter(one -> one.kind() == Finding.Kind.OVERRUN).count(),
        report.unproven().size(),
        Stream.of(report.findings(), report.unproven(), read.unreadable())
            .flatMap(List::stream)
            .map(Object::toString)
            .toList());
  }

  /** Nothing is known to be wrong. */
  boolean agrees() {
    return findings == 0;
  }

  @Override
  public String toString() {
    return "audit: %d occurrences, %d findings, %d revisions overrun, %d not proved"
        .formatted(occurrences, findings, late, unproven);
  }
}
