package io.waterclock.console.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.waterclock.console.access.Access;
import io.waterclock.console.jobs.Job;
import io.waterclock.console.jobs.Jobs;
import io.waterclock.console.jobs.Work;
import io.waterclock.console.model.ViewJson;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Starts, shows and ends jobs. Thread-safe.
 *
 * @param computing what the jobs of each person may compute
 */
record JobsJson(Jobs jobs, Allowances computing) {
  JobsJson(Jobs jobs) {
    this(jobs, new Allowances(PaidWork.WHOLE, PaidWork.BACK_IN, System::nanoTime));
  }

  /**
   * Starts a job that computes, and answers with its id. The job fails when its person has no
   * processor time left.
   */
  CompletableFuture<HttpAnswer> compute(String kind, Access access, Work work) {
    Allowance allowance = new Allowance(computing, access.name());
    if (!allowance.hasLeft()) {
      throw new BadRequestException(503, PaidWork.USED_UP);
    }
    return start(kind, access, new PaidWork(work, allowance));
  }

  /** Starts a job that mostly waits, and must not end in the middle, and answers with its id. */
  CompletableFuture<HttpAnswer> start(String kind, Access access, Work work) {
    Job job =
        jobs.start(kind, access.name(), work)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        503, "Too many jobs are under way; wait for one, or cancel one."));
    return CompletableFuture.completedFuture(
        HttpAnswer.json(202, JsonNodeFactory.instance.objectNode().put("job", job.id())));
  }

  ObjectNode show(String id, Access access) {
    return of(jobs.find(id, access.name()));
  }

  CompletableFuture<HttpAnswer> cancel(String id, Access access) {
    return CompletableFuture.completedFuture(HttpAnswer.json(of(jobs.cancel(id, access.name()))));
  }

  private static ObjectNode of(Optional<Job> found) {
    Job.Snapshot job =
        found
            .orElseThrow(
                () -> new BadRequestException(404, "There is no such job of yours any more."))
            .snapshot();
    ObjectNode tree = ViewJson.of(job);
    job.result().ifPresent(result -> tree.putRawValue("result", new RawValue(result)));
    return tree;
  }
}
