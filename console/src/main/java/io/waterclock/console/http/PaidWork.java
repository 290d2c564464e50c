package io.waterclock.console.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.console.jobs.Work;

/** Takes the processor time of a job from an allowance, and ends the job when none is left. */
record PaidWork(Work work, Allowance allowance) implements Work {
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
        throw new IllegalStateException(JobsJson.USED_UP);
      }
    }

    @Override
    public boolean isCancelled() {
      return progress.isCancelled();
    }
  }
}
