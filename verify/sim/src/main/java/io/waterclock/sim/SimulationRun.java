package io.waterclock.sim;

import io.waterclock.judge.History;
import io.waterclock.judge.Judge;
import io.waterclock.judge.Verdict;
import io.waterclock.judge.limits.LimitJudge;
import io.waterclock.sim.node.Fault;
import io.waterclock.sim.node.TaskEnvironment;
import io.waterclock.sim.world.RestlessException;
import io.waterclock.sim.world.Trace;
import io.waterclock.sim.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The result of a trace.
 *
 * @param findings empty if all is well; those of the judge first
 * @param scheduleMs the sum of the times in which definitions were in force
 */
public record SimulationRun(List<String> findings, double scheduleMs, long fires) {
  private static final double YEAR_MS = 365.25 * 86_400_000;

  /** Plays a trace without any fault, and judges it. */
  public static SimulationRun of(Trace trace) {
    return of(trace, Fault::none, note -> {});
  }

  /**
   * Plays a trace, and judges it.
   *
   * @param fault makes the fault of one world
   * @param notes receives what happens
   */
  public static SimulationRun of(Trace trace, Supplier<Fault> fault, Consumer<String> notes) {
    try {
      World.Played played = World.play(trace, fault.get(), notes);
      History history = played.journal().history();
      Verdict verdict = Judge.judge(history, played.terms());
      List<String> findings = new ArrayList<>();
      verdict.findings().forEach(finding -> findings.add(finding.toString()));
      played
          .journal()
          .delayedFindings(played.delayed(), TaskEnvironment.DELAYED, played.terms())
          .forEach(finding -> findings.add("later: " + finding));
      LimitJudge.judge(
              played.journal().limits(),
              played.limiting(),
              played.terms().reading(),
              played.terms().patience().readMs(),
              played.terms().endMs())
          .forEach(finding -> findings.add(finding.toString()));
      played.journal().auditFindings().forEach(finding -> findings.add("audit: " + finding));
      return new SimulationRun(findings, verdict.ownedMs(), verdict.fired());
    } catch (RestlessException e) {
      return new SimulationRun(List.of(String.valueOf(e.getMessage())), 0, 0);
    } catch (RuntimeException e) {
      return new SimulationRun(List.of("the scheduler died: " + e), 0, 0);
    }
  }

  public boolean isGood() {
    return findings.isEmpty();
  }

  /** How many years of one schedule the trace simulated. */
  public double scheduleYears() {
    return scheduleMs / YEAR_MS;
  }
}
