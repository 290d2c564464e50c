package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import java.util.concurrent.Callable;

/** Bodies of the console's requests: a bad one is a {@link BadRequestException}. */
final class RequestsFuzzTest {
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void body(byte @NotNull [] body) throws Exception {
    JsonRequest request;
    try {
      request = Claims.bounded(body.length, () -> JsonRequest.parse(body));
    } catch (BadRequestException e) {
      Claims.rejected(e);
      assertThat(e.answer()).isNotNull();
      return;
    }
    read(() -> request.required("id"));
    read(() -> request.instant("at"));
    request.text("description").ifPresent(text -> assertThat(text).isNotEmpty());
    request.isTrue("enabled");
    assertThat(request.texts("labels")).isNotNull();
    assertThat(request.map("headers")).isNotNull();
  }

  private static void read(Callable<?> field) throws Exception {
    try {
      assertThat(field.call()).isNotNull();
    } catch (BadRequestException e) {
      Claims.rejected(e);
    }
  }
}
