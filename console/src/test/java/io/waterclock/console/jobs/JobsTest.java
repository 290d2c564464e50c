package io.waterclock.console.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

final class JobsTest {
  private static final Duration BOUND = Duration.ofMinutes(1);

  @Test
  void a_job_that_ends_with_an_error_has_failed_and_takes_no_place() {
    try (Jobs jobs = new Jobs(InstantSource.system())) {
      for (int i = 0; i < 10; i++) {
        Job job =
            jobs.start(
                    "audit",
                    "kim",
                    progress -> {
                      throw new NoClassDefFoundError("a part is missing");
                    })
                .orElseThrow();
        await()
            .dontCatchUncaughtExceptions()
            .atMost(BOUND)
            .until(() -> job.snapshot().state().isOver());
        assertThat(job.snapshot().state()).isEqualTo(Job.State.FAILED);
        assertThat(job.snapshot().problem()).contains("a part is missing");
      }
      Job next =
          jobs.start("audit", "kim", progress -> JsonNodeFactory.instance.objectNode())
              .orElseThrow();
      await().atMost(BOUND).until(() -> next.snapshot().state() == Job.State.DONE);
    }
  }
}
