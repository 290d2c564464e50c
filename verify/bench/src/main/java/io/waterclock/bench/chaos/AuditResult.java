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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * What {@code waterclock audit} says of the same topics.
 *
 * @param proofs what it counted, by revision
 * @param through by schedule: everything due up to then is decided; absent where it is unknown
 * @param heldSince by schedule that was held then: what occurs later may be undecided
 * @param late overruns: a record was heeded more than 5 s after it was written. Slow connections
 *     make some, and the account has its own bound
 * @param unproven revisions that it could not check
 * @param unreadable records that it could not read
 * @param notes its findings, and what it could not prove
 */
record AuditResult(
    List<Account> proofs,
    Map<String, Instant> through,
    Map<String, Instant> heldSince,
    long findings,
    long late,
    int unproven,
    int unreadable,
    List<String> notes) {
  static AuditResult of(String bootstrapServers, Topics topics, SchemaSource schemas) {
    AuditTopics read =
        AuditTopics.read(
            new AuditTopics.Source(
                new TopicReader(() -> Clients.consumer(bootstrapServers, Map.of())),
                topics,
                schemas,
                ZoneOffset.UTC,
                Long.MAX_VALUE),
            Optional.empty(),
            InstantSource.system());
    AuditReport report = AuditReport.of(read, new Window(Instant.MIN, Instant.MAX));
    return new AuditResult(
        report.accounts(),
        byId(read, (id, window) -> Optional.of(window.through())),
        byId(read, read.audit()::heldSince),
        report.findings().stream().filter(one -> one.kind() != Finding.Kind.OVERRUN).count(),
        report.findings().stream().filter(one -> one.kind() == Finding.Kind.OVERRUN).count(),
        report.unproven().size(),
        read.unreadable().size(),
        Stream.of(report.findings(), report.unproven(), read.unreadable())
            .flatMap(List::stream)
            .map(Object::toString)
            .toList());
  }

  private static Map<String, Instant> byId(
      AuditTopics read, BiFunction<String, Window, Optional<Instant>> instant) {
    Map<String, Instant> instants = new HashMap<>();
    for (String id : read.audit().scheduleIds()) {
      read.window(id)
          .flatMap(window -> instant.apply(id, window))
          .ifPresent(at -> instants.put(id, at));
    }
    return instants;
  }

  /**
   * Nothing is known to be wrong, and everything was checked: no fault removes anything that the
   * audit reads.
   */
  boolean agrees() {
    return findings == 0 && unproven == 0 && unreadable == 0;
  }

  @Override
  public String toString() {
    return "audit: %d findings, %d revisions overrun, %d not proved, %d records not readable"
        .formatted(findings, late, unproven, unreadable);
  }
}
