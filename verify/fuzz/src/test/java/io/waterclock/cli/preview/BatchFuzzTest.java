package io.waterclock.cli.preview;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;

/** Lines of a preview of many expressions: each has one answer, in one column. */
final class BatchFuzzTest {
  @FuzzTest
  @DictionaryEntries({
    "0 9 * * 1-5\\x09Europe/Berlin\\x092026-03-29T00:00:00Z",
    "@every 90s",
    "CRON_TZ=UTC ",
    "+1000000000-12-31T23:59:59.999999999Z",
    "-1000000000-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "\\x09",
    "UTC+25"
  })
  void line(@NotNull String line) throws Exception {
    String answer = Claims.bounded(line.length(), () -> Batch.answer(line));
    assertThat(answer).isNotBlank().doesNotContain("\t", "\n", "\r");
  }
}
