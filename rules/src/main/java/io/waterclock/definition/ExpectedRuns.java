package io.waterclock.definition;

import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a definition expects of its runs. */
public final class ExpectedRuns {
  private ExpectedRuns() {}

  /** Within what time; empty if the definition does not expect it. */
  public static Optional<Duration> within(Schedule schedule, Expectation expectation) {
    Expectations expect = schedule.getExpect();
    return expect == null
        ? Optional.empty()
        : switch (expectation) {
          case STARTED_WITHIN -> duration(expect.getStartedWithinMs());
          case SUCCEEDED_WITHIN -> duration(expect.getSucceededWithinMs());
          case SUCCEEDED_EVERY -> duration(expect.getSucceededEveryMs());
        };
  }

  private static Optional<Duration> duration(@Nullable Long ms) {
    return Optional.ofNullable(ms).map(Duration::ofMillis);
  }

  /** True if a definition expects anything. Allocates nothing. */
  public static boolean isExpecting(Schedule schedule) {
    Expectations expect = schedule.getExpect();
    return expect != null && isExpecting(expect);
  }

  static boolean isExpecting(Expectations expect) {
    return expect.getStartedWithinMs() != null
        || expect.getSucceededWithinMs() != null
        || expect.getSucceededEveryMs() != null;
  }

  /**
   * Gives a definition what its owner expects: all of it if the definition says nothing, the
   * contact and the runbook where it names none. A delayed record has no runs to expect.
   */
  public static void addDefaults(Schedule schedule, Optional<Expectations> ofOwner) {
    Expectations expect = schedule.getExpect();
    if (ofOwner.isEmpty() || TargetRecord.isDelayed(schedule)) {
      return;
    }
    if (expect == null && isExpecting(ofOwner.get())) {
      schedule.setExpect(ofOwner.get());
    } else if (expect != null && isExpecting(expect)) {
      Expectations.Builder all = Expectations.newBuilder(expect);
      if (expect.getContact() == null) {
        all.setContact(ofOwner.get().getContact());
      }
      if (expect.getRunbook() == null) {
        all.setRunbook(ofOwner.get().getRunbook());
      }
      schedule.setExpect(all.build());
    }
  }
}
