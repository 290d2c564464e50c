package io.waterclock.sim.judge;

import io.waterclock.schemas.HomePartition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Judges a world that has ended. */
public final class Judge {
  private Judge() {}

  /**
   * The verdict.
   *
   * @param findings what the schedulers must not have done; empty if all is well
   * @param auditFindings what the product's own audit says of the same topics
   * @param scheduleMs the sum of the times in which revisions were in force
   */
  public record Verdict(
      List<String> findings, List<String> auditFindings, long scheduleMs, long fires) {
    public boolean isGood() {
      return findings.isEmpty() && auditFindings.isEmpty();
    }
  }

  public static Verdict judge(Facts facts) {
    Evidence evidence = new Evidence(facts);
    ToIntFunction<String> home =
        id -> HomePartition.of(id.getBytes(StandardCharsets.UTF_8), facts.partitions());
    evidence.readHome(home);
    List<String> findings = new ArrayList<>();
    new Placement(facts, evidence, home, findings).judge();
    new Routes(facts, evidence, findings).judge();
    new Handled(facts, evidence, findings).judge();
    long scheduleMs = 0;
    long fires = 0;
    for (String id : evidence.ids()) {
      JudgedAccount account = new JudgedAccount(facts, evidence, id, findings);
      account.judge();
      scheduleMs += account.ownedMs();
      fires += account.fired();
    }
    return new Verdict(findings, AuditOfTopics.findings(facts, evidence), scheduleMs, fires);
  }
}
