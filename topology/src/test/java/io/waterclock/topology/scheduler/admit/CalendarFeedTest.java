package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

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
    Inbound inbound =
        new Inbound(
            Optional.empty(),
            Optional.of(new byte[bytes]),
            new RecordHeaders(),
            Instant.EPOCH,
            "waterclock.calendars",
            0,
            ++offset);
    feed.refused(new CalendarFeed.Refused(inbound, "bad"));
  }

  private List<String> refused() {
    return feed.seen().refused().stream()
        .map(refused -> refused.inbound().offset() + ": " + refused.reason())
        .toList();
  }

  /**
   * A change of a calendar.
   *
   * @param bytes of its body
   */
  private void change(int bytes) {
    int rest = body(bytes).length - bytes;
    assertThat(body(bytes - rest).length).isEqualTo(bytes);
    feed.changed(
        "a", new CalendarFeed.Change(++offset, Instant.EPOCH, Optional.of(calendar(bytes - rest))));
  }

  private static byte[] body(int length) {
    return RecordCodecs.calendar().encodeBody(calendar(length));
  }

  private static Calendar calendar(int length) {
    return Calendar.newBuilder().setDescription("x".repeat(length)).build();
  }

  private List<Long> offsets() {
    return feed.seen().changes().get("a").stream().map(CalendarFeed.Change::offset).toList();
  }
}
