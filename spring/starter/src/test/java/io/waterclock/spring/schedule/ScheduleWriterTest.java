package io.waterclock.spring.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.schedules.Schedules;
import java.time.Duration;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ScheduleWriterTest {
  @Test
  void declarations_that_failed_with_an_error_are_tried_again() throws Exception {
    AtomicBoolean hasFailed = new AtomicBoolean();
    CountDownLatch written = new CountDownLatch(1);
    Thread starting = Thread.currentThread();
    List<DeclaredSchedule> declarations =
        new AbstractList<>() {
          @Override
          public DeclaredSchedule get(int index) {
            throw new IndexOutOfBoundsException(index);
          }

          @Override
          public int size() {
            return 0;
          }

          @Override
          public Iterator<DeclaredSchedule> iterator() {
            if (Thread.currentThread() != starting) {
              if (hasFailed.compareAndSet(false, true)) {
                throw new NoClassDefFoundError("a class of Kafka");
              }
              written.countDown();
            }
            return super.iterator();
          }
        };
    try (Schedules schedules = Schedules.builder("127.0.0.1:1").build()) {
      ScheduleWriter writer =
          new ScheduleWriter(
              schedules,
              List.of(),
              () -> declarations,
              Optional.empty(),
              new Removal(Removal.Mode.OFF, Duration.ZERO, false),
              CompletableFuture.completedFuture(null));
      writer.start();
      assertThat(written.await(1, TimeUnit.MINUTES)).isTrue();
      writer.stop();
    }
  }
}
