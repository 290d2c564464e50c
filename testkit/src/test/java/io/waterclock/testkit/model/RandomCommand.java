package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.CancelBackfillCommand;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.SkipCommand;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.UnskipCommand;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Commands that the reference can judge. */
final class RandomCommand {
  private static final int MOST_BACKFILLED = 30;

  private final SplittableRandom random;
  private int given;

  RandomCommand(SplittableRandom random) {
    this.random = random;
  }

  /**
   * A command for a schedule; empty when the one thought of makes no sense.
   *
   * @param life empty when the schedule is unknown now
   * @param settled true when the scheduler runs, so that it is known what it makes of the command
   */
  Optional<Command> of(Optional<ScheduleModel> life, long nowMs, boolean settled) {
    return action(life, nowMs, settled)
        .map(action -> new Command("c" + given++, action, revision(life, settled), null, null));
  }

  private @org.jspecify.annotations.Nullable String revision(
      Optional<ScheduleModel> life, boolean settled) {
    return switch (random.nextInt(12)) {
      case 0 -> "another@1";
      case 1 -> life.filter(known -> settled).map(known -> known.current().name).orElse(null);
      default -> null;
    };
  }

  private Optional<Object> action(Optional<ScheduleModel> life, long nowMs, boolean settled) {
    return switch (random.nextInt(10)) {
      case 0, 1 ->
          mayPause(life) ? Optional.of(new PauseCommand("because", null, false)) : Optional.empty();
      case 2, 3, 4 ->
          Optional.of(
              new ResumeCommand(
                  random.nextBoolean() ? OnResume.NOTHING : OnResume.FIRE_ONCE, null, null, null));
      case 5 -> life.flatMap(known -> skip(known, nowMs));
      case 6 -> life.filter(known -> settled).flatMap(known -> unskip(known, nowMs));
      case 7 -> Optional.of(new TriggerCommand(null));
      case 8 -> life.filter(known -> settled).map(known -> backfill(known, nowMs));
      default -> life.filter(known -> settled).flatMap(this::cancel);
    };
  }

  /** The reference does not know whether the watchdog has recorded a completion. */
  private static boolean mayPause(Optional<ScheduleModel> life) {
    return life.isEmpty() || !life.get().current().active || life.get().current().hasUndecided();
  }

  private Optional<Object> skip(ScheduleModel life, long nowMs) {
    List<Long> toCome =
        life.current().undecidedThrough(Long.MAX_VALUE).stream()
            .filter(at -> at > nowMs)
            .limit(8)
            .toList();
    if (toCome.isEmpty()) {
      return Optional.empty();
    }
    long at = toCome.get(random.nextInt(toCome.size()));
    boolean good = random.nextInt(6) > 0 || life.current().owns(at + 1);
    return Optional.of(new SkipCommand(Instant.ofEpochMilli(good ? at : at + 1)));
  }

  private Optional<Object> unskip(ScheduleModel life, long nowMs) {
    return life.commanded.skips.stream()
        .filter(at -> at > nowMs)
        .sorted()
        .findFirst()
        .map(at -> new UnskipCommand(Instant.ofEpochMilli(at)));
  }

  private Object backfill(ScheduleModel life, long nowMs) {
    List<Long> decided = List.copyOf(life.current().decided);
    int back = Math.min(decided.size(), 1 + random.nextInt(MOST_BACKFILLED));
    long from = decided.isEmpty() ? nowMs - 1 : decided.get(decided.size() - back);
    long begin = from - random.nextInt(2);
    long end = from + 1 + random.nextLong(nowMs - from + 10_000);
    boolean newestFirst = end % 3 == 0; // takes no draw, so that the seeds of earlier traces hold
    return new BackfillCommand(
        Instant.ofEpochMilli(begin), Instant.ofEpochMilli(end), newestFirst, null);
  }

  private Optional<Object> cancel(ScheduleModel life) {
    List<CommandedModel.Range> ranges = life.commanded.ranges;
    return ranges.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new CancelBackfillCommand(ranges.get(random.nextInt(ranges.size())).commandId));
  }
}
