package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identity;
import io.waterclock.console.jobs.Jobs;
import io.waterclock.console.jobs.Work;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class JobsJsonTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Access ANN = AccessRules.parse("viewer ann").of(Identity.of("ann"));
  private static final Access BOB = AccessRules.parse("viewer bob").of(Identity.of("bob"));

  @Test
  void a_result_is_a_part_of_the_answer() throws Exception {
    try (Jobs jobs = new Jobs(InstantSource.system())) {
      JobsJson json = new JobsJson(jobs);
      String id =
          job(
              json.start(
                  "audit", ANN, p -> JsonNodeFactory.instance.objectNode().put("text", "\"}")));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> json.show(id, ANN).path("state").asText().equals("DONE"));
      JsonNode shown = JSON.readTree(HttpAnswer.json(json.show(id, ANN)).body().toString());
      assertThat(shown.path("result").path("text").asText()).isEqualTo("\"}");
    }
  }

  /**
   * Two steps take 20 ms or little more of 15, and what was taken comes back in a million times the
   * time: 5 ms too much are more than an hour.
   */
  @Test
  void a_computation_ends_when_the_processor_time_of_its_person_is_used_up() throws Exception {
    Allowances computing = new Allowances(Duration.ofMillis(15), 1_000_000, System::nanoTime);
    try (Jobs jobs = new Jobs(InstantSource.system())) {
      JobsJson json = new JobsJson(jobs, computing);
      String id = job(json.compute("what if", ANN, JobsJsonTest::endless));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> json.show(id, ANN).path("state").asText().equals("FAILED"));
      assertThat(json.show(id, ANN).path("problem").asText()).contains("processor time");
      assertThatThrownBy(() -> json.compute("what if", ANN, JobsJsonTest::endless))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("processor time");
      assertThat(job(json.compute("what if", BOB, JobsJsonTest::endless))).isNotEmpty();
      assertThat(job(json.start("bulk", ANN, p -> JsonNodeFactory.instance.objectNode())))
          .isNotEmpty();
    }
  }

  private static ObjectNode endless(Work.Progress progress) {
    while (!progress.isCancelled()) {
      progress.at(0, 1);
    }
    return JsonNodeFactory.instance.objectNode();
  }

  private static String job(CompletableFuture<HttpAnswer> started) throws IOException {
    return JSON.readTree(started.join().body().toString()).path("job").asText();
  }
}
