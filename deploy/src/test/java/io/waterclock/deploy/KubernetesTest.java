package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.runtime.config.ConfigSources;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** deploy/kubernetes is what Kubernetes takes, and what the scheduler takes. */
@Timeout(300)
final class KubernetesTest {
  private static final Path MANIFESTS = Path.of("kubernetes");

  /** What the kubelet puts into variables that refer to the pod. */
  private static final Map<String, String> FIELDS =
      Map.of("metadata.name", "waterclock-2", "metadata.namespace", "jobs");

  @TempDir Path dir;

  @Test
  void the_manifests_keep_to_the_schemas_of_kubernetes() throws IOException {
    List<JsonNode> manifests = manifests();
    assertThat(manifests).hasSize(4);
    for (JsonNode manifest : manifests) {
      assertThatCode(() -> KubernetesSchemas.validate(manifest))
          .as(KubernetesSchemas.kind(manifest))
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @CsvSource({"/spec, replica", "/spec/template/spec, enableServiceLink", "/metadata, title"})
  void a_field_that_kubernetes_does_not_know_would_be_seen(String parent, String field)
      throws IOException {
    JsonNode manifest = statefulSet();
    ((ObjectNode) manifest.at(parent)).put(field, true);
    assertThatThrownBy(() -> KubernetesSchemas.validate(manifest)).hasMessageContaining(field);
  }

  @Test
  void what_refers_to_something_refers_to_what_there_is() throws IOException {
    JsonNode set = statefulSet();
    JsonNode pod = set.at("/spec/template");
    JsonNode service = manifest("Service");
    JsonNode labels = pod.at("/metadata/labels");
    assertThat(set.at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(service.at("/spec/selector")).isEqualTo(labels);
    assertThat(manifest("PodDisruptionBudget").at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(set.at("/spec/serviceName")).isEqualTo(service.at("/metadata/name"));
    assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("None");

    List<String> volumes = new ArrayList<>(names(pod.at("/spec/volumes"), "/name"));
    volumes.addAll(names(set.at("/spec/volumeClaimTemplates"), "/metadata/name"));
    assertThat(names(container().at("/volumeMounts"), "/name"))
        .containsExactlyInAnyOrderElementsOf(volumes);

    JsonNode kustomization = Documents.of(MANIFESTS.resolve("kustomization.yaml")).get(0);
    assertThat(names(kustomization.at("/configMapGenerator"), "/name"))
        .containsExactly(pod.at("/spec/volumes/0/configMap/name").asText());
    assertThat(names(kustomization.at("/images"), "/name"))
        .containsExactly(container().at("/image").asText());
    assertThat(kustomization.at("/images/0/newTag").asText()).matches("\\d+\\.\\d+\\.\\d+");
    for (JsonNode file : kustomization.at("/configMapGenerator/0/files")) {
      assertThat(MANIFESTS.resolve(file.asText())).exists();
    }
  }

  @Test
  void the_settings_are_settings_of_the_scheduler_and_agree_with_the_manifests()
      throws IOException {
    WaterclockConfig config = WaterclockConfig.parse(settings());
    assertThat(config.instance()).isEqualTo("waterclock-2");
    assertThat(config.isStaticMember()).isTrue();
    assertThat(config.kafka())
        .containsEntry("application.server", "waterclock-2.waterclock.jobs.svc:8085")
        .containsEntry("main.consumer.group.instance.id", "waterclock-2");
    assertThat(config.health().orElseThrow().port())
        .isEqualTo(container().at("/ports/0/containerPort").asInt())
        .isEqualTo(manifest("Service").at("/spec/ports/0/port").asInt());
    assertThat(config.health().orElseThrow().host()).isEqualTo("0.0.0.0");
    assertThat(Path.of(String.valueOf(config.kafka().get("state.dir"))))
        .startsWithRaw(mount("state"));
    assertThat(container().at("/args/2").asText()).isEqualTo(mount("config").toString());
  }

  @Test
  void what_is_commented_out_is_right_too() throws IOException {
    String text =
        Files.readString(MANIFESTS.resolve("waterclock.properties"))
            .replaceAll("(?m)^#(?=[a-z.]+=)", "");
    Path file = Files.writeString(dir.resolve("secured.properties"), text);
    WaterclockConfig config =
        WaterclockConfig.parse(ConfigSources.gather(Optional.of(file), Map.of(), Map.of()));
    assertThat(config.kafka()).containsEntry("security.protocol", "SASL_SSL");
    assertThat(Path.of(String.valueOf(config.kafka().get("ssl.truststore.location"))))
        .startsWithRaw(mount("kafka"));
  }

  @Test
  void the_pod_may_do_little_and_gets_the_time_that_an_end_takes() throws IOException {
    JsonNode pod = statefulSet().at("/spec/template/spec");
    assertThat(pod.at("/terminationGracePeriodSeconds").asInt()).isGreaterThan(30);
    assertThat(pod.at("/enableServiceLinks").asBoolean(true)).isFalse();
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(container().at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(Files.readString(Documents.ROOT.resolve("Dockerfile")))
        .contains("USER " + pod.at("/securityContext/runAsUser").asText() + "\n");
  }

  @Test
  void none_but_instances_and_prometheus_may_connect_to_a_pod() throws IOException {
    JsonNode policy = manifest("NetworkPolicy");
    JsonNode labels = statefulSet().at("/spec/template/metadata/labels");
    assertThat(policy.at("/spec/podSelector/matchLabels")).isEqualTo(labels);
    assertThat(policy.at("/spec/policyTypes/0").asText()).isEqualTo("Ingress");
    assertThat(policy.at("/spec/ingress")).hasSize(1);
    assertThat(policy.at("/spec/ingress/0/from/0/podSelector/matchLabels")).isEqualTo(labels);
    assertThat(policy.at("/spec/ingress/0/ports/0/port").asText())
        .isEqualTo(container().at("/ports/0/name").asText());
  }

  @Test
  @Tag("all")
  void a_scheduler_with_these_settings_answers_the_probes() throws Exception {
    int port = Ports.free();
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0)) {
      Map<String, String> settings = new TreeMap<>(settings());
      // what is this machine's instead of a cluster's
      settings.put("bootstrap.servers", kafka.bootstrapServers());
      settings.put("replication.factor", "1");
      settings.put("partitions", "1");
      settings.put("health.host", "127.0.0.1");
      settings.put("health.port", Integer.toString(port));
      settings.put("state.dir", dir.resolve("state").toString());
      List<String> command =
          new ArrayList<>(List.of(Release.in(dir.resolve("release")).toString(), "run"));
      settings.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
      try (Service pod = Service.start(command, Map.of())) {
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
          JsonNode http = container().at("/" + probe + "/httpGet");
          assertThat(http.at("/port").asText()).isEqualTo(container().at("/ports/0/name").asText());
          pod.awaitOk(URI.create("http://127.0.0.1:" + port + http.at("/path").asText()));
        }
        assertThat(pod.terminate()).isZero();
      }
    }
  }

  /** The file, and over it the environment, as the container gets them. */
  private Map<String, String> settings() throws IOException {
    Map<String, String> environment = new LinkedHashMap<>();
    for (JsonNode variable : container().at("/env")) {
      String value =
          variable.has("value")
              ? variable.at("/value").asText()
              : FIELDS.getOrDefault(variable.at("/valueFrom/fieldRef/fieldPath").asText(), "");
      for (Map.Entry<String, String> known : environment.entrySet()) {
        value = value.replace("$(" + known.getKey() + ")", known.getValue());
      }
      if (!value.isEmpty()) {
        environment.put(variable.at("/name").asText(), value);
      }
    }
    return ConfigSources.gather(
        Optional.of(MANIFESTS.resolve("waterclock.properties")), environment, Map.of());
  }

  private static Path mount(String volume) throws IOException {
    return StreamSupport.stream(container().at("/volumeMounts").spliterator(), false)
        .filter(mount -> mount.at("/name").asText().equals(volume))
        .map(mount -> Path.of(mount.at("/mountPath").asText()))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(JsonNode list, String pointer) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(each -> each.at(pointer).asText())
        .toList();
  }

  private static JsonNode container() throws IOException {
    return statefulSet().at("/spec/template/spec/containers/0");
  }

  private static JsonNode statefulSet() throws IOException {
    return manifest("StatefulSet");
  }

  private static JsonNode manifest(String kind) throws IOException {
    return manifests().stream()
        .filter(manifest -> manifest.at("/kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  /** Of all files that kustomization.yaml names. */
  private static List<JsonNode> manifests() throws IOException {
    List<JsonNode> manifests = new ArrayList<>();
    for (JsonNode file :
        Documents.of(MANIFESTS.resolve("kustomization.yaml")).get(0).at("/resources")) {
      manifests.addAll(Documents.of(MANIFESTS.resolve(file.asText())));
    }
    return manifests;
  }
}
