package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.waterclock.runtime.config.ConfigSources;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * docker-compose.yml keeps to the specification, and what it starts of ours comes up, in a process
 * of this machine, with the command and the environment that stand there.
 */
@Timeout(300)
final class ComposeTest {
  private static final String TAG = "[a-z0-9./-]+:v?\\d+\\.\\d+[A-Za-z0-9._-]*";

  @TempDir Path dir;

  @Test
  void the_file_keeps_to_the_compose_specification() throws IOException {
    assertThat(problems(ComposeFile.read().content())).isEmpty();
  }

  @Test
  void a_key_that_compose_does_not_know_would_be_seen() throws IOException {
    ComposeFile file = ComposeFile.read();
    ((ObjectNode) file.service("waterclock")).put("enviroment", "x");
    assertThat(problems(file.content())).contains("enviroment");
  }

  @Test
  void without_a_profile_there_are_kafka_and_the_scheduler() throws IOException {
    assertThat(ComposeFile.read().of()).containsExactly("kafka", "waterclock");
  }

  @Test
  void every_image_is_pinned_here_and_in_the_dockerfile() throws IOException {
    for (JsonNode service : ComposeFile.read().services()) {
      assertThat(service.path("image").asText()).matches(TAG);
    }
    for (String line : Documents.dockerfile("^FROM (.*)$")) {
      String[] words = line.split(" ");
      assertThat(words[0]).matches(TAG + "|build|plugins");
    }
  }

  @Test
  void nothing_of_ours_runs_as_root() throws IOException {
    assertThat(Documents.dockerfile("^USER (.*)$")).containsExactly("appuser", "10001");
  }

  @Test
  void no_service_has_a_capability_that_it_has_no_use_for() throws IOException {
    for (Map.Entry<String, JsonNode> service : ComposeFile.read().services().properties()) {
      assertThat(service.getValue().at("/cap_drop/0").asText())
          .as(service.getKey())
          .isEqualTo("ALL");
      assertThat(service.getValue().at("/security_opt/0").asText())
          .as(service.getKey())
          .isEqualTo("no-new-privileges:true");
      assertThat(service.getValue().path("cap_add").isMissingNode())
          .as(service.getKey())
          .isEqualTo(!service.getKey().equals("postgres"));
    }
  }

  @Test
  void grafana_asks_for_a_password_that_stands_in_no_file() throws Exception {
    ComposeFile file = ComposeFile.read();
    Map<String, String> environment = file.environment("grafana");
    assertThat(environment.keySet()).noneMatch(key -> key.startsWith("GF_AUTH_ANONYMOUS"));
    assertThat(environment).containsEntry("GF_SECURITY_ADMIN_PASSWORD", "");
    String check = file.words("grafana", "entrypoint").get(2).replace("$$", "$");
    assertThat(grafana(check, "")).isEqualTo(1);
    assertThat(grafana(check, "of mine")).isZero();
  }

  /** How the container's command ends, with another program in the place of Grafana. */
  private static int grafana(String command, String password)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", command.replace("/run.sh", "true"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("GF_SECURITY_ADMIN_PASSWORD", password);
    return builder.start().waitFor();
  }

  @Test
  void nothing_listens_beyond_this_machine() throws IOException {
    for (JsonNode service : ComposeFile.read().services()) {
      for (JsonNode port : service.path("ports")) {
        assertThat(port.asText()).startsWith("127.0.0.1:");
      }
    }
  }

  @Test
  void what_is_mounted_or_copied_is_there() throws IOException {
    ComposeFile file = ComposeFile.read();
    file.services()
        .fieldNames()
        .forEachRemaining(
            service -> file.mounts(service).values().forEach(path -> assertThat(path).exists()));
    assertThat(Documents.dockerfile("^COPY --from=build /src/waterclock (\\S+) ")).isNotEmpty();
    assertThat(Documents.ROOT.resolve("waterclock")).isExecutable();
  }

  @Test
  void services_and_volumes_that_are_named_are_there() throws IOException {
    ComposeFile file = ComposeFile.read();
    Set<String> volumes = new TreeSet<>();
    for (JsonNode service : file.services()) {
      for (JsonNode volume : service.path("volumes")) {
        String name = volume.asText().split(":")[0];
        if (!name.startsWith(".")) {
          volumes.add(name);
        }
      }
      JsonNode needed = service.path("depends_on");
      Set<String> names = new TreeSet<>();
      needed.fieldNames().forEachRemaining(names::add);
      needed.forEach(
          each -> Optional.of(each.asText()).filter(n -> !n.isEmpty()).ifPresent(names::add));
      names.forEach(file::service);
    }
    Set<String> declared = new TreeSet<>();
    file.content().at("/volumes").fieldNames().forEachRemaining(declared::add);
    assertThat(declared).isEqualTo(volumes);
  }

  @Test
  void kafka_gets_settings_of_kafka() throws IOException {
    for (String variable : ComposeFile.read().environment("kafka").keySet()) {
      String key = variable.substring("KAFKA_".length()).toLowerCase(Locale.ROOT).replace('_', '.');
      assertThat(AbstractKafkaConfig.CONFIG_DEF.names()).contains(key);
    }
  }

  @Test
  void prometheus_asks_the_scheduler_where_it_answers() throws IOException {
    ComposeFile file = ComposeFile.read();
    JsonNode config =
        Documents.of(file.mount("prometheus", "/etc/prometheus/prometheus.yml")).get(0);
    WaterclockConfig scheduler = scheduler(file);
    assertThat(config.at("/scrape_configs/0/static_configs/0/targets/0").asText())
        .isEqualTo("waterclock:" + scheduler.health().orElseThrow().port());
    assertThat(scheduler.health().orElseThrow().hosts()).containsExactly("waterclock");
    for (JsonNode rules : config.at("/rule_files")) {
      assertThat(file.mount("prometheus", "/etc/prometheus/" + rules.asText())).exists();
    }
    JsonNode source =
        Documents.of(file.mount("grafana", "/etc/grafana/provisioning/datasources/waterclock.yml"))
            .get(0);
    URI prometheus = URI.create(source.at("/datasources/0/url").asText());
    assertThat(file.service(String.valueOf(prometheus.getHost())).at("/ports/0").asText())
        .endsWith(":" + prometheus.getPort());
  }

  @Test
  @Tag("all")
  void the_scheduler_comes_up_with_what_the_file_says_and_its_check_sees_it() throws Exception {
    ComposeFile file = ComposeFile.read();
    int port = Ports.free();
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0)) {
      Map<String, String> environment = new TreeMap<>(file.environment("waterclock"));
      assertThat(environment)
          .containsEntry("WATERCLOCK_BOOTSTRAP_SERVERS", "kafka:19092")
          .containsEntry("WATERCLOCK_HEALTH_HOST", "0.0.0.0")
          .containsEntry("WATERCLOCK_STATE_DIR", "/var/lib/waterclock/state");
      // hosts, ports and folders of this machine in the place of a container's
      environment.put("WATERCLOCK_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
      environment.put("WATERCLOCK_HEALTH_HOST", "127.0.0.1");
      environment.put("WATERCLOCK_HEALTH_PORT", Integer.toString(port));
      environment.put("WATERCLOCK_STATE_DIR", dir.resolve("state").toString());
      environment.put("WATERCLOCK_PARTITIONS", "1");
      List<String> command = new ArrayList<>();
      command.add(Release.in(dir.resolve("release")).toString());
      assertThat(Documents.dockerfile("^ENTRYPOINT \\[\"(.*)\"]$")).containsExactly("waterclock");
      command.addAll(file.words("waterclock", "command"));
      try (Service scheduler = Service.start(command, environment)) {
        scheduler.awaitOk(URI.create("http://127.0.0.1:" + port + "/ready"));
        int own = scheduler(file).health().orElseThrow().port();
        assertThat(file.healthcheck("waterclock", own, port)).isZero();
        assertThat(file.healthcheck("waterclock", own, Ports.free())).isNotZero();
        assertThat(scheduler.terminate()).isZero();
      }
      assertThat(dir.resolve("state")).isDirectory();
    }
  }

  private static WaterclockConfig scheduler(ComposeFile file) {
    return WaterclockConfig.parse(
        ConfigSources.gather(
            Optional.empty(), new HashMap<>(file.environment("waterclock")), Map.of()));
  }

  private static String problems(JsonNode compose) throws IOException {
    try (InputStream schema =
        Objects.requireNonNull(
            ComposeTest.class.getResourceAsStream("/compose/compose-spec.json"))) {
      JsonNode content = new JsonMapper().readTree(schema);
      dropIds(content);
      JsonSchema specification =
          JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V201909).getSchema(content);
      return specification.validate(compose).toString().replaceAll("^\\[]$", "");
    }
  }

  /**
   * It names its parts as older drafts did, which the one that it says it is written in refuses.
   */
  private static void dropIds(JsonNode schema) {
    if (schema.path("id").isTextual()) {
      ((ObjectNode) schema).remove("id");
    }
    schema.forEach(ComposeTest::dropIds);
  }
}
