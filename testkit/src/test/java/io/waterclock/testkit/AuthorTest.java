package io.waterclock.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who wrote a definition or a delete, and why. */
final class AuthorTest {
  private final SchedulerHarness scheduler =
      SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"));

  @AfterEach
  void close() {
    scheduler.close();
  }

  private static RecordHeaders by(String author, String note) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.AUTHOR, author.getBytes(UTF_8));
    headers.add(HeaderNames.NOTE, note.getBytes(UTF_8));
    return headers;
  }

  private void put(String json, RecordHeaders headers) {
    scheduler.send("a", json.getBytes(UTF_8), scheduler.now(), headers);
    scheduler.advance(Duration.ofSeconds(1));
  }

  @Test
  void revision_shows_who_wrote_the_record_that_began_or_ended_it() {
    put("{\"every\":\"1m\"}", by("ann", "new customer"));
    put("{\"every\":\"2m\"}", by("bob", "too often"));
    scheduler.send("a", null, scheduler.now(), by("eve", "customer left"));

    assertThat(scheduler.revisions())
        .extracting(Revision::getEndedBy, Revision::getAuthor, Revision::getNote)
        .containsExactly(
            tuple(null, "ann", "new customer"),
            tuple(RevisionEnd.REPLACED, "bob", "too often"),
            tuple(null, "bob", "too often"),
            tuple(RevisionEnd.DELETED, "eve", "customer left"));
  }

  @Test
  void long_or_hostile_text_is_cut_and_one_line() {
    put("{\"every\":\"1m\"}", by("a".repeat(300), "one\r\ntwo" + "b".repeat(2_000)));

    Revision revision = scheduler.revisions().get(0);
    assertThat(revision.getAuthor()).hasSize(255);
    assertThat(revision.getNote()).hasSizeLessThan(1_100).doesNotContain("\n", "\r");
  }

  @Test
  void record_of_a_revision_that_would_become_too_large_does_without() {
    int almost = SchedulerHarness.LIMITS.maxFireBytes() - 2_000;
    String definition = "{\"every\":\"1m\",\"payload\":\"" + "x".repeat(almost) + "\"}";
    put(definition, by("ann", "\u20ac".repeat(1_000)));
    put(definition.replace("1m", "2m"), by("ann", "short"));

    assertThat(scheduler.revisions())
        .extracting(Revision::getNote)
        .containsExactly(null, "short", "short");
  }

  @Test
  void same_definition_by_another_changes_nothing() {
    put("{\"every\":\"1m\"}", by("ann", ""));
    put("{\"every\":\"1m\"}", by("bob", "again"));

    assertThat(scheduler.revisions())
        .extracting(Revision::getAuthor, Revision::getNote)
        .containsExactly(tuple("ann", null));
  }
}
