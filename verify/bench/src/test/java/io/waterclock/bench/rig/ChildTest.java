package io.waterclock.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.Ticks;
import io.waterclock.bench.run.BenchException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChildTest {
  @TempDir private Path dir;

  private <T> Child<T> child(Child.Start<T> start) {
    return Child.start(start, List.of(), dir.resolve("child.log"));
  }

  @Test
  void questions_and_orders_run_in_the_other_process() {
    try (Child<AtomicInteger> child = child(() -> new AtomicInteger(1))) {
      int added = 41;
      child.tell(count -> count.addAndGet(added));

      int sum = child.ask(AtomicInteger::get);
      assertThat(sum).isEqualTo(42);
      long pid = child.ask(count -> ProcessHandle.current().pid());
      assertThat(pid).isEqualTo(child.handle().pid()).isNotEqualTo(ProcessHandle.current().pid());
    }
  }

  @Test
  void work_and_ticks_survive_the_way_to_another_process() {
    Ticks ticks = new Ticks(12, 3_000_000_000L);
    Work work = Work.herd("herd", 7, Instant.parse("2026-11-21T10:00:00Z"));
    try (Child<Object> child = child(Object::new)) {
      Work back = child.ask(it -> work);
      Ticks same = child.ask(it -> ticks);
      assertThat(back).isEqualTo(work);
      assertThat(same).isEqualTo(ticks);
    }
  }

  @Test
  void what_a_library_prints_is_no_answer() {
    try (Child<Object> child = child(Object::new)) {
      child.tell(it -> System.out.println("a library says hello"));

      String answer = child.ask(it -> "answer");
      assertThat(answer).isEqualTo("answer");
    }
  }

  @Test
  void a_failure_in_the_other_process_fails_the_question_and_no_other() {
    try (Child<AtomicInteger> child = child(() -> new AtomicInteger(1))) {
      assertThatThrownBy(() -> child.ask(count -> Integer.parseInt("words")))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("For input string: \"words\"");

      int still = child.ask(AtomicInteger::get);
      assertThat(still).isEqualTo(1);
    }
  }

  @Test
  void one_that_does_not_start_fails_the_question_with_its_last_words() {
    try (Child<Object> child =
        child(
            () -> {
              throw new IllegalStateException("no such broker");
            })) {
      assertThatThrownBy(() -> child.ask(Object::toString))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("no such broker");
    }
  }
}
