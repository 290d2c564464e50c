package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.topology.scheduler.input.RecordSize;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WaitingFireTest {
  private static final byte[] KEY = "a|2026-11-25T10:00:00.000Z".getBytes(UTF_8);

  /** Of what is kept, the changelog must take what the topic waiting has taken. */
  @ParameterizedTest
  @CsvSource({"0, 0, 0", "1000, 0, 0", "1000, 1, 100000", "500, 200, 1000000"})
  void it_takes_no_more_bytes_than_its_record(int count, int length, int payload) {
    RecordHeaders headers = new RecordHeaders();
    for (int i = 0; i < count; i++) {
      headers.add("h", new byte[length]);
    }
    WaitingNote.Terms terms =
        new WaitingNote.Terms(
            Optional.of(Instant.parse("2026-11-25T10:00:00Z")),
            Optional.of(Duration.ofMinutes(1)),
            WaitingNote.Role.OCCURRENCE);
    WaitingFire fire = new WaitingFire(Long.MAX_VALUE, terms, headers, new byte[payload]);
    RecordHeaders written = new RecordHeaders(headers);
    new WaitingNote.Fire(0, 0, terms, Optional.empty()).addTo(written, new LimitName("etl"));
    byte[] key = LimiterStore.waitingKey("etl", new LimiterStore.Waiting(0, 0, KEY, fire)).get();
    assertThat(RecordSize.of(key, fire.bytes(), new RecordHeaders()))
        .isLessThanOrEqualTo(RecordSize.of(KEY, new byte[payload], written));
  }
}
