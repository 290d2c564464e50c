package io.waterclock.console.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.console.jobs.Work;
import java.time.Duration;

/** Takes the processor time of a job from an allowance, and ends the job when none is left. */
record PaidWork(Work work, Allowance allowance) implements Work {
  /** What a person's jobs may compute at once. */
  static final Duration WHOLE = Duration.ofMinutes(10);

  /** For long, a person's jobs have half a processor. */
  static final int BACK_IN = 2;

  static final String USED_UP =
      "The processor time of your jobs is used up; it comes back within "
          + WHOLE.multipliedBy(BACK_IN).toMinutes()
          + " minutes. Ask about fewer schedules, or use the command line.";

  @Override
  public ObjectNode run(Progress progress) {
    Allowance.Meter meter = allowance.meter();
    try {
      return work.run(new Paying(progress, allowance, meter));
    } finally {
      meter.take();
    }
  }

  private record Paying(Progress progress, Allowance allowance, Allowance.Meter meter)
      implements Progress {
    @Override
    public void at(long done, long total) {
      progress.at(done, total);
      meter.take();
      if (!allowance.hasLeft()) {
        throw new IllegalStateException(USED_UP);
      }
    }

    @Override
    public boolean isCancelled() {
      return progress.isCancelled();
    }
  }
}
