package io.waterclock.console.audit;

import io.waterclock.audit.Account;
import io.waterclock.audit.Audit;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.occurrences.core.Count;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The accounts of all audited schedules, by id.
 *
 * @param ignored findings about definitions without an account
 */
public record AuditReport(
    List<Account> accounts, List<Finding> ignored, List<Audit.Unproven> unproven) {

  public static AuditReport of(AuditTopics topics, Window asked) {
    List<Account> accounts = new ArrayList<>();
    List<Finding> ignored = new ArrayList<>();
    List<Audit.Unproven> unproven = new ArrayList<>();
    for (String id : topics.audit().scheduleIds()) {
      Optional<Window> known = topics.window(id);
      if (known.isEmpty()) {
        unproven.add(
            new Audit.Unproven(id, "-", "no watermark says how far its partition is decided"));
        continue;
      }
      Window window = known.get().and(asked);
      if (!known.get().after().isBefore(window.through())) {
        unproven.add(new Audit.Unproven(id, "-", removed(known.get().after(), window.through())));
      }
      Audit.Result result = topics.audit().of(id, window, topics.tzdbs(id));
      result.accounts().stream().filter(AuditReport::saysSomething).forEach(accounts::add);
      ignored.addAll(result.ignored());
      unproven.addAll(result.unproven());
      topics.neverStarted(id, window).ifPresent(unproven::add);
    }
    return new AuditReport(List.copyOf(accounts), List.copyOf(ignored), List.copyOf(unproven));
  }

  private static String removed(Instant after, Instant through) {
    return ("retention has removed records: fires and missed are complete after %s, and the"
            + " account ends at %s; audit sooner, or give these topics a longer retention")
        .formatted(after, through);
  }

  /** Whether an account covers any time or has findings. */
  private static boolean saysSomething(Account account) {
    return account.after().isBefore(account.through()) || !account.findings().isEmpty();
  }

  /** The same about the schedules that may be shown. */
  AuditReport only(Predicate<String> visible) {
    return new AuditReport(
        accounts.stream().filter(one -> visible.test(one.scheduleId())).toList(),
        ignored.stream().filter(one -> visible.test(one.scheduleId())).toList(),
        unproven.stream().filter(one -> visible.test(one.scheduleId())).toList());
  }

  public Count occurrences() {
    return sum(Account::occurrences);
  }

  public long fired() {
    return accounts.stream().mapToLong(Account::fired).sum();
  }

  /** How many are decided and wait for a limit. */
  public long waiting() {
    return accounts.stream().mapToLong(Account::waiting).sum();
  }

  public Count missed() {
    return sum(Account::missed);
  }

  private Count sum(Function<Account, Count> part) {
    return new Count(
        accounts.stream().map(part).mapToLong(Count::value).sum(),
        accounts.stream().map(part).allMatch(Count::exact));
  }

  public List<Finding> findings() {
    return Stream.concat(
            accounts.stream().flatMap(account -> account.findings().stream()), ignored.stream())
        .toList();
  }
}
