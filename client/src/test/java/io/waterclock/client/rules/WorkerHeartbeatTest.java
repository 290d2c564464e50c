package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkerHeartbeatTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00.123Z");

  /** What a broker takes beside an offset, unless {@code offset.metadata.max.bytes} says else. */
  private static final int MOST_METADATA = 4096;

  @Test
  void a_sign_of_life_is_read_as_it_was_written() {
    List<Downtime> backlog =
        List.of(
            new Downtime(Optional.empty(), NOON, 7),
            new Downtime(Optional.of(NOON), NOON.plusSeconds(60), Long.MAX_VALUE));
    for (List<Downtime> each : List.of(backlog, List.<Downtime>of())) {
      WorkerHeartbeat heartbeat = new WorkerHeartbeat(NOON, NOON.plusMillis(1), each);
      assertThat(WorkerHeartbeat.parse(heartbeat.text("1a2b"))).contains(heartbeat);
      assertThat(WorkerHeartbeat.handlers(heartbeat.text("1a2b"))).contains("1a2b");
    }
  }

  @Test
  void the_longest_sign_fits_beside_an_offset() {
    Downtime longest = new Downtime(Optional.of(NOON), NOON, Long.MAX_VALUE);
    List<Downtime> backlog = Collections.nCopies(16, longest);
    assertThat(new WorkerHeartbeat(NOON, NOON, backlog).text("ffffffff"))
        .hasSizeLessThan(MOST_METADATA);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "alive=",
        "alive=2026-11-21T12:00:00Z",
        "alive=2026-11-21T12:00:00Z/2026-11-21T12:00:00Z",
        "alive=noon/noon",
        "alive=2026-11-21T12:00:00Z/2026-11-21T12:00:00Z@1;1,2",
        "alive=2026-11-21T12:00:00Z/2026-11-21T12:00:00Z@1;a,b,c",
        "offsets of somebody else"
      })
  void other_texts_are_not_signs_of_life(String metadata) {
    assertThat(WorkerHeartbeat.parse(metadata)).isEmpty();
  }
}
