package io.waterclock.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.waterclock.fuzz.Claims;
import java.util.Optional;

/** Answers of instances, which may be of another version, or no instances at all. */
final class LiveFuzzTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Instance INSTANCE = new Instance("one", "127.0.0.1:8080");

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/live.dict")
  void schedule(@NotNull String text) throws Exception {
    JsonNode tree;
    try {
      tree = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return; // its caller reports an answer that is no JSON
    }
    Optional<LiveSchedule> read =
        Claims.bounded(text.length(), () -> LiveSchedule.of(INSTANCE, "a", tree));
    read.flatMap(LiveSchedule::schedule)
        .ifPresent(
            details -> {
              assertThat(details.status().getScheduleId()).isEqualTo("a");
              assertThat(details.definition()).isNotNull();
              assertThat(details.decidedThrough()).isNotNull();
              assertThat(details.nextDue()).isNotNull();
              assertThat(details.queuedFor()).isNotNull();
              assertThat(details.home().number()).isNotNegative();
            });
  }
}
