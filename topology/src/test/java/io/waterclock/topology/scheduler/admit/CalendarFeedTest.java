package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** How much of the history of a calendar an instance keeps in memory. */
final class CalendarFeedTest {
  private static final int MIB = 1 << 20;

  private final CalendarFeed feed = new CalendarFeed();
  private long offset;

  @Test
  void the_newest_thousand_changes_stay() {
    for (int i = 0; i < 1_000; i++) {
      change(100);
    }
    assertThat(offsets()).hasSize(1_000);
    change(100);
    assertThat(offsets()).hasSize(1_000).startsWith(2L).endsWith(1_001L);
  }

  @Test
  void the_newest_4_mib_stay() {
    change(2 * MIB);
    change(2 * MIB);
    assertThat(offsets()).containsExactly(1L, 2L);
    change(100);
    assertThat(offsets()).containsExactly(2L, 3L);
    change(1_900_000);
    assertThat(offsets()).containsExactly(2L, 3L, 4L);
    change(2 * MIB);
    assertThat(offsets()).containsExactly(3L, 4L, 5L);
  }

  @Test
  void the_newest_change_stays_however_large_it_is() {
    change(100);
    change(5 * MIB);
    assertThat(offsets()).containsExactly(2L);
  }

  @Test
  void the_newest_4_mib_of_refused_records_stay_and_one_stands_for_the_rest() {
    int quarter = MIB - 1_024 - "bad".length();
    for (int i = 0; i < 4; i++) {
      refuse(quarter);
    }
    assertThat(refused()).containsExactly("1: bad", "2: bad", "3: bad", "4: bad");
    for (int i = 0; i < 2; i++) {
      refuse(quarter);
    }
    assertThat(feed.seen().refused().get(0).inbound().size()).isZero();
    assertThat(refused())
        .hasSize(4)
        .first(STRING)
        .startsWith("3: at most 3 refused records up to this one");
    refuse(9 * MIB);
    assertThat(refused()).hasSize(2).last().isEqualTo("7: bad");
    assertThat(refused()).first(STRING).startsWith("6: at most 6 refused records");
  }

  private void refuse(int bytes) {
    feed.refused(Optional.empty(), new CalendarFeed.Refused(inbound(bytes), "bad"));
  }

  private Inbound inbound(int bytes) {
    return new Inbound(
        Optional.empty(),
        Optional.of(new byte[bytes]),
        new RecordHeaders(),
        Instant.EPOCH,
        "waterclock.calendars",
        0,
        ++offset);
  }

  private List<String> refused() {
    return feed.seen().refused().stream()
        .map(refused -> refused.inbound().offset() + ": " + refused.reason())
        .toList();
  }

  @Test
  void an_equal_change_is_dropped() {
    change("a", 100, "x");
    var before = feed.seen();
    change("a", 100, "x");
    assertThat(feed.seen()).isSameAs(before);
    delete("a");
    var deleted = feed.seen();
    delete("a");
    assertThat(feed.seen()).isSameAs(deleted);
    change("a", 100, "x");
    assertThat(offsets()).containsExactly(1L, 3L, 5L);
  }

  @Test
  void a_thousand_calendars_may_exist_and_a_deleted_one_makes_room() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(change("c" + i, 100, "x")).isEmpty();
    }
    assertThat(change("more", 100, "x").orElseThrow())
        .isEqualTo("there are 1000 calendars, and no more are read: delete one first");
    assertThat(change("c7", 100, "y")).isEmpty();
    delete("c8");
    assertThat(change("more", 100, "x")).isEmpty();
    assertThat(feed.seen().changes()).hasSize(1_001).containsKeys("more", "c8");
  }

  @Test
  void the_thousand_names_that_were_deleted_last_stay() {
    change("a", 100, "x");
    for (int i = 0; i < 1_001; i++) {
      delete("c" + i);
    }
    assertThat(feed.seen().changes())
        .hasSize(1_001)
        .containsKeys("a", "c1")
        .doesNotContainKey("c0");
  }

  @Test
  void all_calendars_have_at_most_32_mib_together() {
    for (int i = 0; i < 8; i++) {
      assertThat(change("c" + i, 4 * MIB, "x")).isEmpty();
    }
    assertThat(change("small", 10, "x").orElseThrow())
        .startsWith("all calendars together would have 33554442 bytes, of at most 33554432");
    assertThat(change("c1", 4 * MIB, "y")).isEmpty();
    assertThat(change("c1", 100, "y")).isEmpty();
    assertThat(change("small", 10, "x")).isEmpty();
  }

  @Test
  void the_longest_history_gives_way_when_all_have_more_than_32_mib() {
    for (int i = 0; i < 9; i++) {
      for (String fill : List.of("w", "x", "y", "z")) {
        change("c" + i, MIB - 1_000 + i, fill);
        change("c" + i, 100, fill);
      }
    }
    assertThat(feed.seen().changes().values()).allMatch(all -> all.size() >= 3);
    long kept =
        feed.seen().changes().values().stream()
            .flatMap(List::stream)
            .mapToLong(change -> change.body().orElseThrow().length)
            .sum();
    assertThat(kept).isBetween(24L * MIB, 32L * MIB + 9_000);
  }

  @Test
  void a_refused_record_may_have_replaced_the_calendar_of_its_name() {
    assertThat(feed.seen().mayHave("a")).isFalse();
    feed.refused(Optional.of(new CalendarName("a")), new CalendarFeed.Refused(inbound(9), "bad"));
    assertThat(feed.seen().mayHave("a")).isTrue();
    assertThat(feed.seen().mayHave("b")).isFalse();
  }

  /**
   * A change of a calendar.
   *
   * @param bytes of its body
   */
  private void change(int bytes) {
    change("a", bytes, Long.toString(offset % 10));
  }

  private Optional<String> change(String name, int bytes, String fill) {
    int rest = body(bytes, fill).length - bytes;
    assertThat(body(bytes - rest, fill).length).isEqualTo(bytes);
    return feed.changed(
        name,
        new CalendarFeed.Change(
            ++offset, Instant.ofEpochSecond(offset), Optional.of(calendar(bytes - rest, fill))));
  }

  private void delete(String name) {
    feed.changed(
        name, new CalendarFeed.Change(++offset, Instant.ofEpochSecond(offset), Optional.empty()));
  }

  private static byte[] body(int length, String fill) {
    return RecordCodecs.calendar().encodeBody(calendar(length, fill));
  }

  private static Calendar calendar(int length, String fill) {
    return Calendar.newBuilder().setDescription(fill.repeat(length)).build();
  }

  private List<Long> offsets() {
    return feed.seen().changes().get("a").stream().map(CalendarFeed.Change::offset).toList();
  }
}
