package io.waterclock.console.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
        assertThat(job.snapshot().problem())
            .contains("the console has failed, and its log says why");
      }
      Job next =
          jobs.start("audit", "kim", progress -> JsonNodeFactory.instance.objectNode())
              .orElseThrow();
      await().atMost(BOUND).until(() -> next.snapshot().state() == Job.State.DONE);
    }
  }

  /** Holds bytes, as a bulk change holds its ids. */
  private record Large(byte[] bytes) implements Work {
    @Override
    public ObjectNode run(Progress progress) {
      return JsonNodeFactory.instance.objectNode().put("length", bytes.length);
    }
  }

  @Test
  void cancelled_jobs_leave_the_queue_and_free_their_bytes() {
    CountDownLatch busy = new CountDownLatch(1);
    try (Jobs jobs = new Jobs(InstantSource.system())) {
      for (int i = 0; i < 2; i++) {
        var unused = jobs.start("audit", "ann", progress -> held(busy)).orElseThrow();
      }
      List<WeakReference<Object>> freed = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Work work = new Large(new byte[1_000]);
        freed.add(new WeakReference<>(work));
        Job job = jobs.start("bulk", "kim", work).orElseThrow();
        if (i < 50) { // those after it push it out of the list
          freed.add(new WeakReference<>(job));
        }
        assertThat(jobs.cancel(job.id(), "kim").orElseThrow().snapshot().state())
            .isEqualTo(Job.State.CANCELLED);
      }
      await()
          .atMost(BOUND)
          .until(
              () -> {
                System.gc();
                return freed.stream().allMatch(one -> one.get() == null);
              });
    } finally {
      busy.countDown();
    }
  }

  private static ObjectNode held(CountDownLatch busy) {
    try {
      busy.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return JsonNodeFactory.instance.objectNode();
  }

  @Test
  void nobody_cancels_the_job_of_another() {
    CountDownLatch busy = new CountDownLatch(1);
    try (Jobs jobs = new Jobs(InstantSource.system())) {
      Job job = jobs.start("audit", "ann", progress -> held(busy)).orElseThrow();
      assertThat(jobs.cancel(job.id(), "kim")).isEmpty();
      busy.countDown();
      await().atMost(BOUND).until(() -> job.snapshot().state() == Job.State.DONE);
    }
  }

  @Test
  void results_are_kept_up_to_a_bound_of_bytes_and_the_oldest_go_first() {
    String text = "x".repeat(10 << 20);
    try (Jobs jobs = new Jobs(InstantSource.system())) {
      List<Job> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Job job =
            jobs.start("what if", "kim", p -> JsonNodeFactory.instance.objectNode().put("t", text))
                .orElseThrow();
        all.add(job);
        await().atMost(BOUND).until(() -> job.snapshot().state() == Job.State.DONE);
      }
      Job next =
          jobs.start("what if", "kim", p -> JsonNodeFactory.instance.objectNode()).orElseThrow();
      List<Job> kept = all.stream().filter(job -> jobs.find(job.id(), "kim").isPresent()).toList();
      assertThat(kept).isEqualTo(all.subList(5, 8)); // three of 10 MiB are within 32 MiB
      assertThat(jobs.find(next.id(), "kim")).isPresent();
    }
  }
}
