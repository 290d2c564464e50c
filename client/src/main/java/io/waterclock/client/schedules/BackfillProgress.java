package io.waterclock.client.schedules;

import io.waterclock.schemas.avro.OutcomeState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the fires of a backfill. Each of its fires counts once: {@code fired} is the sum
 * of the others.
 *
 * @param commandId of the backfill
 * @param fired of those runs that are known
 * @param running also those that wait for a retry
 * @param failed for good
 * @param dropped which their worker did not run, or not to the end: mostly fires that had run
 *     before
 * @param notReported on which no worker has reported
 */
public record BackfillProgress(
    String commandId,
    int fired,
    int running,
    int succeeded,
    int failed,
    int dropped,
    int notReported) {

  /**
   * The backfills of one schedule.
   *
   * @param runs of the schedule, the newest first; those that no backfill has ordered are ignored
   * @return the newest first
   */
  public static List<BackfillProgress> of(List<FireRun> runs) {
    Map<String, List<FireRun>> byCommand = new LinkedHashMap<>();
    for (FireRun run : runs) {
      run.backfill()
          .ifPresent(id -> byCommand.computeIfAbsent(id, x -> new ArrayList<>()).add(run));
    }
    return byCommand.entrySet().stream().map(it -> of(it.getKey(), it.getValue())).toList();
  }

  /** One backfill, from all of its runs. */
  public static BackfillProgress of(String commandId, List<FireRun> runs) {
    int ended = (int) runs.stream().filter(FireRun::hasEnded).count();
    int notReported = (int) runs.stream().filter(run -> run.state().isEmpty()).count();
    return new BackfillProgress(
        commandId,
        runs.size(),
        runs.size() - ended - notReported,
        count(runs, OutcomeState.SUCCEEDED),
        count(runs, OutcomeState.FAILED),
        count(runs, OutcomeState.DROPPED),
        notReported);
  }

  private static int count(List<FireRun> runs, OutcomeState state) {
    return (int)
        runs.stream()
            .filter(run -> run.hasEnded() && run.state().filter(state::equals).isPresent())
            .count();
  }

  /** In words, such as "12 fired: 2 running, 9 succeeded, 1 not reported". */
  public String text() {
    List<String> parts = new ArrayList<>();
    add(parts, running, "running");
    add(parts, succeeded, "succeeded");
    add(parts, failed, "failed");
    add(parts, dropped, "dropped");
    add(parts, notReported, "not reported");
    return fired + " fired" + (parts.isEmpty() ? "" : ": " + String.join(", ", parts));
  }

  private static void add(List<String> parts, int count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }
}
