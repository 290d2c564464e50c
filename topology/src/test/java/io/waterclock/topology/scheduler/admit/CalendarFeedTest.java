package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
