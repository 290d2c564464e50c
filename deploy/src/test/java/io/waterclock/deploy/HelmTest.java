package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import io.waterclock.cli.deploy.DocumentedRight;
import io.waterclock.runtime.config.ConfigSources;
import io.waterclock.runtime.config.WaterclockConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.resource.PatternType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Renders deploy/helm with Helm itself, and compares the users for Strimzi with docs/rights.md. */
final class HelmTest {
  private static final Path CHART = Path.of("helm", "waterclock");
  private static final String NEEDED =
      """
      image: {repository: registry.example.com/waterclock}
      settings: {bootstrap.servers: "kafka-bootstrap.kafka.svc:9092"}
      """;
  private static final String EVERYTHING =
      """
      image: {repository: registry.example.com/waterclock, tag: 0.1.1, pullPolicy: Always}
      imagePullSecrets: [{name: registry}]
      replicas: 5
      settings:
        bootstrap.servers: kafka:9093
        security.protocol: SASL_SSL
        max.poll.records: 100000000
        owner.limits: "acme/ schedules=1000;\\n* schedules=10"
        targets.allow: 'a\\b'
        transactions.abort: false
      kafka: {existingSecret: waterclock-kafka}
      jvmOptions: -XX:+UseZGC
      persistence: {size: 20Gi, storageClass: fast}
      podMonitor: {enabled: true, labels: {release: prometheus}, interval: 15s}
      podAnnotations: {team: jobs}
      podLabels: {tier: batch}
      nodeSelector: {disk: ssd}
      tolerations: [{key: dedicated, operator: Exists, effect: NoSchedule}]
      affinity: {nodeAffinity: {}}
      priorityClassName: high
      networkPolicy: {from: []}
      """;

  @TempDir Path dir;

  @Test
  void helm_finds_nothing_wrong() {
    LintResult lint = new Helm(CHART).lint().strict().call();
    assertThat(lint.isFailed()).as("%s", lint.getMessages()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "settings: {bootstrap.servers: 'k:9092'} | image.repository is required",
        "image: {repository: w} | settings.bootstrap.servers is required",
        "replica: 3 | 'replica' not allowed",
        "replicas: many | got string, want integer",
        "settings: {state.dir: /data} | invalid propertyName 'state.dir'",
        "podMonitor: {interval: soon} | 'soon' does not match pattern",
      })
  void what_is_missing_or_unknown_is_named(String values, String message) throws IOException {
    assertThatThrownBy(() -> render(values)).hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"waterclock, waterclock", "eu, eu-waterclock", "waterclock-eu, waterclock-eu"})
  void objects_are_named_by_the_release(String release, String name) throws IOException {
    List<JsonNode> manifests = parse(render(release, NEEDED));
    assertThat(manifests).extracting(each -> each.at("/metadata/name").asText()).containsOnly(name);
    assertThat(one("StatefulSet", manifests).at("/spec/template/spec/containers/0/env").toString())
        .contains("$(POD_NAME)." + name + ".$(POD_NAMESPACE).svc:8085");
  }

  @Test
  void all_objects_keep_to_the_schemas_of_kubernetes() throws IOException {
    for (String values : List.of(NEEDED, EVERYTHING)) {
      for (JsonNode manifest : parse(render(values))) {
        if (!manifest.at("/kind").asText().equals("PodMonitor")) {
          KubernetesSchemas.validate(manifest);
        }
      }
    }
  }

  /** So that neither of the two is behind the other. */
  @Test
  void the_chart_and_the_plain_manifests_deploy_the_same() throws IOException {
    List<JsonNode> chart = parse(render(NEEDED + "kafka: {existingSecret: waterclock-kafka}\n"));
    Path plain = Path.of("kubernetes");
    for (JsonNode file :
        Documents.of(plain.resolve("kustomization.yaml")).get(0).at("/resources")) {
      for (JsonNode manifest : Documents.of(plain.resolve(file.asText()))) {
        JsonNode rendered = one(manifest.at("/kind").asText(), chart);
        assertThat(withoutNames(rendered)).isEqualTo(withoutNames(manifest));
      }
    }
    Map<String, String> settings = settings(chart);
    Map<String, String> expected =
        ConfigSources.gather(
            Optional.of(plain.resolve("waterclock.properties")), Map.of(), Map.of());
    assertThat(settings).containsAllEntriesOf(expected);
  }

  @Test
  void values_reach_the_scheduler_as_they_are() throws IOException {
    List<JsonNode> manifests = parse(render(EVERYTHING));
    assertThat(settings(manifests))
        .containsEntry("bootstrap.servers", "kafka:9093")
        .containsEntry("max.poll.records", "100000000")
        .containsEntry("owner.limits", "acme/ schedules=1000;\n* schedules=10")
        .containsEntry("targets.allow", "a\\b")
        .containsEntry("transactions.abort", "false")
        .containsEntry("replication.factor", "3");
    assertThat(WaterclockConfig.parse(settings(parse(render(NEEDED)))).kafka())
        .containsEntry("num.standby.replicas", "1");

    JsonNode set = one("StatefulSet", manifests);
    JsonNode pod = set.at("/spec/template/spec");
    assertThat(set.at("/spec/replicas").asInt()).isEqualTo(5);
    assertThat(pod.at("/containers/0/image").asText())
        .isEqualTo("registry.example.com/waterclock:0.1.1");
    assertThat(pod.at("/containers/0/env").toString())
        .contains("-XX:+UseZGC", "\"key\":\"sasl.jaas.config\"");
    assertThat(pod.at("/volumes").toString()).contains("\"secretName\":\"waterclock-kafka\"");
    assertThat(pod.at("/priorityClassName").asText()).isEqualTo("high");
    assertThat(set.at("/spec/volumeClaimTemplates/0/spec/storageClassName").asText())
        .isEqualTo("fast");
    JsonNode monitor = one("PodMonitor", manifests);
    assertThat(monitor.at("/spec/podMetricsEndpoints/0/interval").asText()).isEqualTo("15s");
    assertThat(monitor.at("/metadata/labels/release").asText()).isEqualTo("prometheus");
    assertThat(set.at("/spec/template/metadata/annotations").has("prometheus.io/scrape")).isFalse();
  }

  @Test
  void a_changed_setting_restarts_the_pods_and_a_changed_size_does_not() throws IOException {
    String before = checksum(NEEDED);
    assertThat(checksum(NEEDED + "persistence: {size: 20Gi}\n")).isEqualTo(before);
    assertThat(checksum(NEEDED.replace("9092", "9093"))).isNotEqualTo(before);
  }

  @Test
  void users_for_strimzi_have_the_rights_that_the_page_lists_and_no_others() throws IOException {
    Map<String, String> users =
        Map.of(
            "waterclock-scheduler", "The scheduler",
            "waterclock-producer", "A producer of schedules",
            "waterclock-worker", "A worker",
            "waterclock-operator", "An operator");
    List<JsonNode> documents = Documents.of(Path.of("strimzi", "kafka-users.yaml"));
    assertThat(documents).hasSize(users.size());
    for (JsonNode user : documents) {
      assertThat(KubernetesSchemas.kind(user)).isEqualTo("kafka.strimzi.io/v1 KafkaUser");
      assertThat(user.at("/metadata/labels/strimzi.io~1cluster").asText()).isNotEmpty();
      String name = user.at("/metadata/name").asText();
      assertThat(rights(user))
          .as(name)
          .isEqualTo(
              DocumentedRight.of(Objects.requireNonNull(users.get(name))).stream()
                  .map(right -> right.allowing(name))
                  .map(HelmTest::text)
                  .collect(Collectors.toSet()));
    }
  }

  private static Set<String> rights(JsonNode user) {
    Set<String> rights = new HashSet<>();
    for (JsonNode acl : user.at("/spec/authorization/acls")) {
      JsonNode resource = acl.at("/resource");
      for (JsonNode operation : acl.at("/operations")) {
        rights.add(
            String.join(
                " ",
                operation.asText().toLowerCase(Locale.ROOT),
                resource.at("/type").asText().toLowerCase(Locale.ROOT),
                resource.at("/patternType").asText(),
                resource.at("/name").asText()));
      }
    }
    return rights;
  }

  private static String text(AclBinding acl) {
    String pattern = acl.pattern().patternType() == PatternType.PREFIXED ? "prefix" : "literal";
    return String.join(
        " ",
        acl.entry().operation().name().replace("_", "").toLowerCase(Locale.ROOT),
        acl.pattern().resourceType().name().replace("_", "").toLowerCase(Locale.ROOT),
        pattern,
        acl.pattern().name());
  }

  private String checksum(String values) throws IOException {
    return one("StatefulSet", parse(render(values)))
        .at("/spec/template/metadata/annotations/checksum~1config")
        .asText();
  }

  private Map<String, String> settings(List<JsonNode> manifests) throws IOException {
    String file = one("ConfigMap", manifests).at("/data/waterclock.properties").asText();
    Path properties = Files.writeString(dir.resolve("waterclock.properties"), file);
    return ConfigSources.gather(Optional.of(properties), Map.of(), Map.of());
  }

  private String render(String values) throws IOException {
    return render("waterclock", values);
  }

  private String render(String release, String values) throws IOException {
    Path file = Files.writeString(dir.resolve("values.yaml"), values);
    return new Helm(CHART)
        .template()
        .withName(release)
        .withNamespace("jobs")
        .withValuesFile(file)
        .call();
  }

  private List<JsonNode> parse(String rendered) throws IOException {
    return Documents.of(Files.writeString(dir.resolve("rendered.yaml"), rendered)).stream()
        .filter(JsonNode::isObject)
        .toList();
  }

  private static JsonNode one(String kind, List<JsonNode> manifests) {
    List<JsonNode> found = new ArrayList<>(manifests);
    found.removeIf(manifest -> !manifest.at("/kind").asText().equals(kind));
    assertThat(found).as(kind).hasSize(1);
    return found.get(0);
  }

  /** Leaves out what depends on the release and what kustomize adds. */
  private static JsonNode withoutNames(JsonNode manifest) {
    JsonNode copy = manifest.deepCopy();
    for (JsonNode parent : copy.findParents("labels")) {
      ((ObjectNode) parent).remove("labels");
    }
    for (JsonNode parent : copy.findParents("matchLabels")) {
      if (parent.at("/matchLabels").has("app.kubernetes.io/name")) {
        ((ObjectNode) parent).remove("matchLabels");
      }
    }
    for (JsonNode parent : copy.findParents("selector")) {
      if (parent.at("/selector").has("app.kubernetes.io/name")) {
        ((ObjectNode) parent).remove("selector");
      }
    }
    for (JsonNode parent : copy.findParents("annotations")) {
      ((ObjectNode) parent.at("/annotations")).remove("checksum/config");
    }
    for (JsonNode parent : copy.findParents("image")) {
      ((ObjectNode) parent).remove(List.of("image", "imagePullPolicy"));
    }
    return copy;
  }
}
