package io.waterclock.connect.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bills of materials and licences of what the image {@code connect} adds to Kafka's. */
final class MaterialsTest {
  private static final String OURS = "waterclock-connectors";

  @TempDir static Path dir;
  private static Path plugins = Path.of("");

  @BeforeAll
  static void unpack() throws IOException {
    assumeTrue(Plugins.arePacked(), "the plug-in archive, which mvn verify builds");
    plugins = Plugins.in(dir.resolve("plugins"));
  }

  @Test
  void the_image_has_these_plugins() throws IOException {
    try (Stream<Path> all = Files.list(plugins)) {
      assertThat(all.map(plugin -> plugin.getFileName().toString()))
          .containsExactlyInAnyOrder(
              OURS, "debezium-connector-postgres", "debezium-connector-jdbc");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OURS, "debezium-connector-postgres", "debezium-connector-jdbc"})
  void a_bill_of_materials_lists_the_jars_of_a_plugin_with_their_hashes(String plugin)
      throws Exception {
    Map<String, String> listed = new TreeMap<>();
    for (JsonNode component : components(plugin)) {
      listed.put(file(component), sha256(component));
      assertThat(component.path("purl").asText())
          .isEqualTo(
              "pkg:maven/%s/%s@%s?type=jar",
              component.path("group").asText(),
              component.path("name").asText(),
              component.path("version").asText());
      assertThat(component.path("licenses")).as(file(component)).isNotEmpty();
    }
    assertThat(listed).isEqualTo(jars(plugin));
  }

  @Test
  void each_library_of_ours_has_a_licence() throws Exception {
    List<String> licences = Files.readAllLines(plugins.resolve(OURS).resolve("THIRD-PARTY.txt"));
    List<String> without = new ArrayList<>();
    for (JsonNode component : components(OURS)) {
      String coordinates =
          "%s:%s:%s "
              .formatted(
                  component.path("group").asText(),
                  component.path("name").asText(),
                  component.path("version").asText());
      if (!coordinates.startsWith("io.waterclock:")
          && licences.stream().filter(line -> line.contains("(" + coordinates)).count() != 1) {
        without.add(coordinates);
      }
    }
    assertThat(without).isEmpty();
    assertThat(plugins.resolve(OURS).resolve("LICENSE")).isNotEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(strings = {"debezium-connector-postgres", "debezium-connector-jdbc"})
  void debezium_brings_the_texts_of_its_licences(String plugin) {
    assertThat(plugins.resolve(plugin).resolve("LICENSE.txt")).isNotEmptyFile();
    assertThat(plugins.resolve(plugin).resolve("LICENSE-3rd-PARTIES.txt")).isNotEmptyFile();
  }

  private static JsonNode components(String plugin) throws IOException {
    Path bom = plugins.resolve(plugin).resolve(plugin + ".cdx.json");
    return JsonMapper.builder().build().readTree(bom.toFile()).path("components");
  }

  /** The jars of a plug-in with their hashes, but the one that the bill of materials is about. */
  private static Map<String, String> jars(String plugin)
      throws IOException, NoSuchAlgorithmException {
    Map<String, String> jars = new TreeMap<>();
    List<Path> files;
    try (Stream<Path> all = Files.list(plugins.resolve(plugin))) {
      files = all.filter(file -> file.toString().endsWith(".jar")).toList();
    }
    for (Path file : files) {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      jars.put(file.getFileName().toString(), HexFormat.of().formatHex(hash));
    }
    jars.keySet().removeIf(name -> name.startsWith(OURS + "-"));
    return jars;
  }

  private static String file(JsonNode component) {
    return component.path("name").asText() + "-" + component.path("version").asText() + ".jar";
  }

  private static String sha256(JsonNode component) {
    for (JsonNode hash : component.path("hashes")) {
      if (hash.path("alg").asText().equals("SHA-256")) {
        return hash.path("content").asText();
      }
    }
    return "no SHA-256";
  }
}
