package io.waterclock.connect.rows;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import io.waterclock.schemas.json.ScheduleJson;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Rows of tables: a bad row is refused with a reason, and no row throws. */
final class RowsFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final RowRules RULES = rules();

  private static RowRules rules() {
    Map<RowField, String> columns = new EnumMap<>(RowField.class);
    for (RowField field : RowField.values()) {
      columns.put(field, field.name());
    }
    return new RowRules(
        new RowMapping(
            "rows/",
            false,
            columns,
            Map.of(),
            Map.of("c", RowField.CRON),
            Set.of("active"),
            Map.of("all", "replay"),
            true,
            Optional.empty()));
  }

  /** Lines of COLUMN TYPE VALUE: what a database sends for the columns of a row. */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/row.dict")
  void row(@NotNull String text) throws Exception {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String line : text.split("\n")) {
      String[] words = line.split(" ", 3);
      if (words.length == 3) {
        value(words[1], words[2]).ifPresent(value -> values.put(words[0], value));
      }
    }
    RowChange change =
        new RowChange(
            RowChange.Kind.INSERTED,
            Optional.empty(),
            Optional.empty(),
            Optional.of(Row.of(values)),
            NOW);
    RowResult result = Claims.bounded(text.length(), () -> RULES.apply(change));
    if (result instanceof RowResult.Refused refused) {
      assertThat(refused.reason()).isNotBlank();
    } else if (result instanceof RowResult.Defines defines) {
      assertThat(defines.id().value()).startsWith("rows/");
      assertThat(ScheduleJson.read(defines.definition(), ZoneOffset.UTC).problems()).isEmpty();
    }
    assertThat(RULES.apply(change)).hasToString(result.toString());
  }

  private static Optional<Object> value(String type, String text) {
    try {
      return Optional.of(
          switch (type) {
            case "n" -> Long.valueOf(text);
            case "d" -> new BigDecimal(text);
            case "b" -> Boolean.valueOf(text);
            case "i" -> Instant.parse(text);
            default -> text;
          });
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  @FuzzTest
  void id_text(@NotNull String text) {
    IdText.written(text)
        .ifPresent(
            written -> {
              assertThat(written).matches("[A-Za-z0-9._~:/@-]*");
              assertThat(IdText.read(written)).contains(text);
            });
  }
}
