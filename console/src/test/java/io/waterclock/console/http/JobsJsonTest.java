package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.jobs.Jobs;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

final class JobsJsonTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Access ANN = AccessRules.parse("viewer ann").of("ann");

  @Test
  void a_result_is_a_part_of_the_answer() throws Exception {
    try (Jobs jobs = new Jobs(InstantSource.system())) {
      JobsJson json = new JobsJson(jobs);
      String started =
          json.start("audit", ANN, p -> JsonNodeFactory.instance.objectNode().put("text", "\"}"))
              .join()
              .body();
      String id = JSON.readTree(started).path("job").asText();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> json.show(id, ANN).path("state").asText().equals("DONE"));
      JsonNode shown = JSON.readTree(HttpAnswer.json(json.show(id, ANN)).body());
      assertThat(shown.path("result").path("text").asText()).isEqualTo("\"}");
    }
  }
}
