package io.waterclock.cli.online;

import io.waterclock.topology.audit.Account;
import io.waterclock.topology.audit.Audit;
import io.waterclock.topology.audit.Finding;
import io.waterclock.topology.audit.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The accounts of all audited schedules, by id. */
record AuditReport(List<Account> accounts, List<Audit.Unproven> unproven) {

  /**
   * @param asked what the user wants to know about
   */
  static AuditReport of(AuditTopics topics, Window asked) {
    List<Account> accounts = new ArrayList<>();
    List<Audit.Unproven> unproven = new ArrayList<>();
    for (String id : topics.audit().scheduleIds()) {
      Optional<Window> known = topics.window(id);
      if (known.isEmpty()) {
        unproven.add(
            new Audit.Unproven(id, "-", "no watermark says how far its partition is decided"));
        continue;
      }
      Audit.Result result = topics.audit().of(id, known.get().and(asked));
      result.accounts().stream().filter(AuditReport::saysSomething).forEach(accounts::add);
      unproven.addAll(result.unproven());
    }
    return new AuditReport(List.copyOf(accounts), List.copyOf(unproven));
  }

  /** What was looked at, or found beside it. */
  private static boolean saysSomething(Account account) {
    return account.after().isBefore(account.through()) || !account.findings().isEmpty();
  }

  List<Finding> findings() {
    return accounts.stream().flatMap(account -> account.findings().stream()).toList();
  }
}
