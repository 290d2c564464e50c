package io.waterclock.topology.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class CommitsTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  private final Commits commits = new Commits();

  @Test
  void nothing_sent_asks_for_no_commit() {
    commits.read(START);
    assertThat(commits.isDue(START.plusSeconds(60))).isFalse();
  }

  @Test
  void what_is_sent_without_reading_is_committed_at_once_each_time() {
    for (int ms = 0; ms < 50; ms += 5) {
      commits.sent();
      assertThat(commits.isDue(START.plusMillis(ms))).isTrue();
      assertThat(commits.isDue(START.plusMillis(ms))).isFalse();
    }
  }

  @Test
  void the_answer_to_a_lone_request_is_committed_at_once() {
    commits.read(START);
    commits.sent();
    assertThat(commits.isDue(START)).isTrue();
  }

  @Test
  void in_a_backlog_each_commit_is_followed_by_a_while_of_reading() {
    commits.sent();
    assertThat(commits.isDue(START)).isTrue();
    Instant afterSlowCommit = START.plusMillis(300);
    commits.read(afterSlowCommit);
    commits.sent();
    assertThat(commits.isDue(afterSlowCommit)).isFalse();
    commits.read(afterSlowCommit.plusMillis(20));
    assertThat(commits.isDue(afterSlowCommit.plusMillis(24))).isFalse();
    assertThat(commits.isDue(afterSlowCommit.plusMillis(25))).isTrue();
  }
}
