package io.waterclock.schemas.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IsoInstantTest {
  private static final DateTimeFormatter REFERENCE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Test
  void every_day_of_the_fast_years_reads_as_the_formatter_writes_it() {
    SplittableRandom random = new SplittableRandom(5);
    LocalDate end = LocalDate.of(10_000, 1, 1);
    for (LocalDate day = LocalDate.of(0, 1, 1); day.isBefore(end); day = day.plusDays(1)) {
      long ms = day.toEpochDay() * 86_400_000L + random.nextInt(86_400_000);
      String text = text(ms);
      if (!text.startsWith(day.toString()) || text.length() != IsoInstant.LENGTH) {
        assertThat(text).isEqualTo(REFERENCE.format(Instant.ofEpochMilli(ms)));
      }
    }
  }

  @Test
  void random_instants_read_as_the_formatter_writes_them() {
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 50_000; i++) {
      long ms = random.nextLong(-62_167_219_200_000L, 253_402_300_800_000L);
      assertThat(text(ms)).isEqualTo(REFERENCE.format(Instant.ofEpochMilli(ms)));
      assertThat(IsoInstant.parse(text(ms))).contains(Instant.ofEpochMilli(ms));
    }
  }

  @Test
  void the_ends_of_the_fast_years_and_what_lies_beyond() {
    assertThat(text(-62_167_219_200_000L)).isEqualTo("0000-01-01T00:00:00.000Z");
    assertThat(text(-62_167_219_200_001L)).isEqualTo("-0001-12-31T23:59:59.999Z");
    assertThat(text(253_402_300_799_999L)).isEqualTo("9999-12-31T23:59:59.999Z");
    assertThat(text(253_402_300_800_000L)).isEqualTo("+10000-01-01T00:00:00.000Z");
    assertThat(text(-1)).isEqualTo("1969-12-31T23:59:59.999Z");
    assertThat(text(Long.MIN_VALUE)).isEqualTo("-292275055-05-16T16:47:04.192Z");
  }

  private static String text(long ms) {
    return new String(IsoInstant.bytes(ms), StandardCharsets.US_ASCII);
  }
}
