package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.schedules.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ChangeOutboxTest {
  private volatile Instant now = Instant.parse("2026-11-24T12:00:00Z");
  private volatile boolean isAway;
  private final ChangeOutbox sender = new ChangeOutbox(2, () -> now, () -> isAway);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch brokers = new CountDownLatch(1);

  @AfterEach
  void close() {
    brokers.countDown();
    sender.close();
  }

  private static Answer answer(String id) {
    return new Answer.NotFound(id);
  }

  /** As a change does while no broker answers. */
  private Supplier<CompletableFuture<Answer>> waiting(String id) {
    return () -> {
      begun.countDown();
      try {
        brokers.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return CompletableFuture.completedFuture(answer(id));
    };
  }

  @Test
  void while_the_brokers_are_known_to_be_away_nothing_is_sent() {
    isAway = true;
    assertThatThrownBy(() -> sender.send(waiting("a")))
        .isInstanceOf(BadRequestException.class)
        .hasMessage("The Kafka brokers do not answer. Nothing was sent.");
    assertThat(begun.getCount()).isEqualTo(1);
  }

  @Test
  void changes_that_wait_for_the_brokers_hold_no_thread_of_the_caller_and_have_a_bound()
      throws InterruptedException {
    CompletableFuture<Answer> first = sender.send(waiting("a"));
    begun.await();
    List<CompletableFuture<Answer>> others =
        List.of(sender.send(waiting("b")), sender.send(waiting("c")));
    assertThat(first).isNotDone();
    assertThatThrownBy(() -> sender.send(waiting("d")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("try again");
    brokers.countDown();
    assertThat(first.join()).isEqualTo(answer("a"));
    assertThat(others)
        .extracting(CompletableFuture::join)
        .containsExactly(answer("b"), answer("c"));
  }

  @Test
  void a_change_that_waited_too_long_is_not_sent() throws InterruptedException {
    CompletableFuture<Answer> first = sender.send(waiting("a"));
    begun.await();
    List<String> sent = new ArrayList<>();
    CompletableFuture<Answer> second =
        sender.send(
            () -> {
              sent.add("b");
              return CompletableFuture.completedFuture(answer("b"));
            });
    now = now.plusSeconds(11);
    brokers.countDown();
    assertThat(first.join()).isEqualTo(answer("a"));
    assertThatThrownBy(second::join).hasMessageContaining("was not sent");
    assertThat(sent).isEmpty();
  }

  /** The connection of the request and the schedule are held until there is an answer. */
  @Test
  void an_error_while_a_change_is_sent_is_its_answer_and_the_next_change_is_sent() {
    CompletableFuture<Answer> failed =
        sender.send(
            () -> {
              throw new NoClassDefFoundError("a class of Kafka");
            });
    assertThat(failed)
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withCauseInstanceOf(NoClassDefFoundError.class);
    brokers.countDown();
    assertThat(sender.send(waiting("a")).join()).isEqualTo(answer("a"));
  }
}
