package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.Interval;
import io.waterclock.schemas.text.InvalidValueException;
import io.waterclock.schemas.text.Quoted;
import io.waterclock.schemas.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Text that people and other programs write: lengths of time, instants, zones, ids, keys. */
final class TextFuzzTest {
  private static final ZoneId GAPS = ZoneId.of("Europe/Berlin");

  @FuzzTest
  @DictionaryEntries({"PT", "P1M", "W", " month", "1h30m", "0.2s", "ms", "9223372036854775807"})
  void length_of_time(@NotNull String text) throws Exception {
    read(text, () -> Interval.parse(text))
        .ifPresent(
            interval -> {
              assertThat(interval.n()).isPositive();
              assertThat(Interval.parse(interval.text())).isEqualTo(interval);
              assertThat(Interval.parse(interval.shortText())).isEqualTo(interval);
            });
    read(text, () -> Durations.parse(text))
        .ifPresent(
            duration -> {
              assertThat(duration).isBetween(Duration.ZERO, Duration.ofMillis(Long.MAX_VALUE));
              assertThat(Durations.parse(duration.toString())).isEqualTo(duration);
            });
  }

  @FuzzTest
  @DictionaryEntries({
    "2026-12-24T18:00:00Z",
    "+01:00",
    "2026-03-29T02:30",
    "2026-10-25T02:30",
    "-999999999-01-01T00:00",
    "+292278994-08-17T07:12:55.807Z"
  })
  void instant(@NotNull String text) throws Exception {
    for (ZoneId zone : new ZoneId[] {ZoneOffset.UTC, GAPS}) {
      read(text, () -> Instants.parse(text, zone))
          .ifPresent(
              instant -> {
                assertThat(Instants.parse(Instants.text(instant), GAPS)).isEqualTo(instant);
                assertThat(Instant.ofEpochMilli(instant.toEpochMilli())).isEqualTo(instant);
              });
      Instants.changeAt(text, zone)
          .ifPresent(change -> assertThat(change.getOffsetBefore()).isNotNull());
    }
  }

  @FuzzTest
  @DictionaryEntries({"Europe/Berlin", "UTC+01:00", "Z", "+18:00", "GMT", "EST", "europe/"})
  void zone(@NotNull String text) throws Exception {
    read(text, () -> Instants.zone(text))
        .ifPresent(zone -> assertThat(Instants.zone(zone.getId())).isEqualTo(zone));
  }

  @FuzzTest
  @DictionaryEntries({"reports/daily|2026-11-21T10:00:00.000Z", "|", "-0001-12-31T23:59:59.999Z"})
  void key(@NotNull String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    try {
      FireKey key = FireKey.parse(text);
      assertThat(key.text()).isEqualTo(text);
      assertThat(FireKey.parse(new String(key.bytes(), StandardCharsets.UTF_8))).isEqualTo(key);
      assertThat(FireIds.of("/waterclock/waterclock").of(key))
          .isEqualTo(FireIds.of("/waterclock/waterclock").of(utf8));
    } catch (InvalidIdException e) {
      Claims.rejectedInOneLine(e);
    }
    try {
      ScheduleId id = ScheduleId.parse(utf8);
      assertThat(id.value()).isEqualTo(text);
      assertThat(id.utf8()).isEqualTo(utf8);
    } catch (InvalidIdException e) {
      Claims.rejectedInOneLine(e);
    }
  }

  /** Bytes of a key that need not be UTF-8. */
  @FuzzTest
  void key_bytes(byte @NotNull [] bytes) {
    try {
      assertThat(ScheduleId.parse(bytes).utf8()).isEqualTo(bytes);
    } catch (InvalidIdException e) {
      Claims.rejectedInOneLine(e);
    }
  }

  /** What is shown to people: one line, whatever it was, and showing it again changes nothing. */
  @FuzzTest
  void shown(@NotNull String text) {
    String line = SafeText.line(text);
    assertThat(line.codePoints()).noneMatch(SafeText::isUnsafe);
    assertThat(SafeText.line(line)).isEqualTo(line);
    assertThat(SafeText.lines(SafeText.lines(text))).isEqualTo(SafeText.lines(text));
    assertThat(Quoted.of(text)).hasSizeLessThan(70);
    assertThat(SafeText.line(Quoted.of(text))).isEqualTo(Quoted.of(text));
  }

  private static <T> Optional<T> read(String text, Callable<T> reader) throws Exception {
    try {
      return Optional.of(Claims.bounded(text.length(), reader));
    } catch (InvalidValueException e) {
      Claims.rejectedInOneLine(e);
      return Optional.empty();
    }
  }
}
