package io.waterclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One broker that shall keep three copies of its own topics, as Kafka's defaults want it. */
@Timeout(600)
final class CoordinatorTest {
  private static final String SENTENCE =
      "the brokers do not coordinate groups: they have not created __consumer_offsets; they must be"
          + " as many as offsets.topic.replication.factor says (it is 3, and there is 1)";

  @TempDir Path dir;

  @Test
  @Tag("all")
  void a_topic_of_offsets_that_cannot_be_made_is_named_by_the_start_and_by_doctor() {
    Map<String, String> settings = Map.of("offsets.topic.replication.factor", "3");
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, settings)) {
      CliRun run =
          CliRun.today(
              "run",
              "--bootstrap-server=" + kafka.bootstrapServers(),
              "--set=default.api.timeout.ms=8000",
              "--set=request.timeout.ms=8000",
              "--set=replication.factor=1",
              "--set=state.dir=" + dir.resolve("state"));
      assertThat(run.err()).isEqualToIgnoringNewLines("waterclock: " + SENTENCE);
      assertThat(run.exitCode()).isEqualTo(1);
      CliRun doctor =
          CliRun.today("doctor", "--bootstrap-server=" + kafka.bootstrapServers(), "--timeout=8s");
      assertThat(doctor.out())
          .contains("WRONG  kafka: At " + kafka.bootstrapServers() + " " + SENTENCE + ".");
    }
  }
}
