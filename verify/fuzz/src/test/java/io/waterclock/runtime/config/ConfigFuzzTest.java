package io.waterclock.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import java.util.LinkedHashMap;
import java.util.Map;

/** Settings: whatever they say, the problems are all found at once. */
final class ConfigFuzzTest {
  /** Lines of KEY=VALUE, as a file or the environment gives them. */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/config.dict")
  void settings(@NotNull String text) throws Exception {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String line : text.split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        settings.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    try {
      WaterclockConfig config =
          Claims.bounded(text.length(), () -> WaterclockConfig.parse(settings));
      assertThat(config).isNotNull();
    } catch (InvalidConfigException e) {
      Claims.rejected(e);
      assertThat(e.problems()).isNotEmpty().noneMatch(problem -> problem.contains("Exception:"));
    }
  }
}
