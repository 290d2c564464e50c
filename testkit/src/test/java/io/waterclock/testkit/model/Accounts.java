package io.waterclock.testkit.model;

import io.waterclock.audit.Account;
import io.waterclock.audit.Audit;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.testkit.SchedulerHarness;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.streams.test.TestRecord;

/** The audit that users have, over everything that a harness wrote. */
public final class Accounts {
  private Accounts() {}

  /**
   * @throws AssertionError if an occurrence is not accounted for once
   */
  public static void mustBalance(SchedulerHarness scheduler) {
    mustBalance(scheduler, fire -> true);
  }

  /**
   * @param seen the fires that the audit gets to see: plants holes
   * @throws AssertionError if an occurrence is not accounted for once
   */
  static void mustBalance(SchedulerHarness scheduler, Predicate<Fire> seen) {
    List<TestRecord<byte[], byte[]>> watermarks =
        scheduler.records(scheduler.topics().watermarks());
    if (watermarks.isEmpty()) {
      return;
    }
    Watermark last = RecordCodecs.watermark().decode(watermarks.get(watermarks.size() - 1).value());
    Window window = new Window(Instant.MIN, last.getDecidedThrough());
    Audit audit = read(scheduler, seen);
    for (String id : audit.scheduleIds()) {
      Audit.Result result = audit.of(id, window);
      require(result.unproven().isEmpty(), result.unproven());
      result.accounts().forEach(Accounts::mustBalance);
    }
  }

  /** Traces stamp pauses long before they are read. */
  private static boolean isPlannedByTraces(Finding finding) {
    return finding.kind() == Finding.Kind.OVERRUN;
  }

  private static void mustBalance(Account account) {
    require(account.findings().stream().allMatch(Accounts::isPlannedByTraces), account);
    boolean isExact = account.occurrences().exact() && account.missed().exact();
    require(
        !isExact || account.occurrences().value() == account.fired() + account.missed().value(),
        account);
  }

  private static Audit read(SchedulerHarness scheduler, Predicate<Fire> seen) {
    Audit audit = new Audit();
    values(scheduler, scheduler.topics().revisions())
        .forEach(value -> audit.add(RecordCodecs.revision().decode(value)));
    scheduler.fires().stream().filter(seen).forEach(audit::add);
    values(scheduler, scheduler.topics().missed())
        .forEach(value -> audit.add(RecordCodecs.missed().decode(value)));
    for (TestRecord<byte[], byte[]> status : scheduler.records(scheduler.topics().status())) {
      Optional.ofNullable(status.value())
          .map(RecordCodecs.status()::decode)
          .ifPresentOrElse(
              audit::add,
              () -> audit.statusDeleted(new String(status.key(), StandardCharsets.UTF_8)));
    }
    return audit;
  }

  private static List<byte[]> values(SchedulerHarness scheduler, String topic) {
    return scheduler.records(topic).stream().map(TestRecord::value).toList();
  }

  private static void require(boolean holds, Object detail) {
    if (!holds) {
      throw new AssertionError("the account does not balance: " + detail);
    }
  }
}
