package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.waterclock.console.jobs.Jobs;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.console.preview.Scenario;
import io.waterclock.fuzz.Claims;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;

/** Bodies of the console's requests: a bad one is a {@link BadRequestException}. */
final class RequestsFuzzTest {
  private static final WhatIfRequests SCENARIOS = scenarios();

  private static WhatIfRequests scenarios() {
    InstantSource clock = () -> Instant.parse("2026-11-24T12:00:00Z");
    return new WhatIfRequests(
        new ReadModel(ZoneOffset.UTC, ModelWriter.Limits.DEFAULT),
        List.of(),
        new JobsJson(new Jobs(clock)),
        clock);
  }

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

  /** One action for many schedules. */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void bulk(byte @NotNull [] body) throws Exception {
    JsonRequest request = request(body);
    read(() -> BulkRequests.action(request));
    read(() -> BulkRequests.chosen(request));
  }

  /** A scenario to compute: an outage has a length, and a bounded one. */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void what_if(byte @NotNull [] body) throws Exception {
    JsonRequest request = request(body);
    read(
        () -> {
          Scenario scenario = SCENARIOS.scenario(request);
          if (scenario instanceof Scenario.Down down) {
            assertThat(down.window()).isBetween(Duration.ofMinutes(1), Duration.ofDays(31));
          }
          return scenario;
        });
  }

  private static JsonRequest request(byte[] body) {
    try {
      return JsonRequest.parse(body);
    } catch (BadRequestException e) {
      return new JsonRequest(JsonNodeFactory.instance.objectNode());
    }
  }

  private static void read(Callable<?> field) throws Exception {
    try {
      assertThat(field.call()).isNotNull();
    } catch (BadRequestException e) {
      Claims.rejected(e);
    }
  }
}
