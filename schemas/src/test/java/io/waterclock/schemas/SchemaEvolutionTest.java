package io.waterclock.schemas;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.SchemaValidatorBuilder;
import org.apache.avro.generic.GenericData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds BACKWARD_TRANSITIVE compatibility. After a change of a schema, raise {@link
 * PublishedSchemas#VERSIONS} if the last version is released, then write its resources with {@code
 * mvn -pl schemas test -Dtest=SchemaEvolutionTest -Dwaterclock.publishSchemas=true}, which also
 * writes the first bytes in the pages.
 */
class SchemaEvolutionTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern FIRST_BYTES = Pattern.compile("c301[0-9a-f]{16}");
  private static final Path RESOURCES = Path.of("src/main/resources/io/waterclock/schemas");

  static Stream<Schema> schemas() {
    return RecordCodecs.all().stream().map(RecordCodec::schema);
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void the_current_schema_is_the_newest_published_one(Schema current) throws IOException {
    Schema plain = withoutJavaHints(current);
    if (Boolean.getBoolean("waterclock.publishSchemas")) {
      publish(plain);
      return;
    }
    List<Schema> published = PublishedSchemas.of(current.getName());
    assertThat(published).as("published versions of %s", current.getName()).isNotEmpty();
    assertThat(published.get(published.size() - 1))
        .as("the schema of %s changed: see the comment of this test", current.getName())
        .isEqualTo(plain);
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void the_current_schema_reads_every_published_one(Schema current) throws Exception {
    new SchemaValidatorBuilder()
        .canReadStrategy()
        .validateAll()
        .validate(current, PublishedSchemas.of(current.getName()));
  }

  /** By which readers without a library recognise a schema. */
  @Test
  void the_page_has_the_first_bytes_of_each_published_schema() throws Exception {
    String page = Files.readString(DOCS.resolve("fires.md"));
    for (Schema schema : schemas().toList()) {
      if (!schema.getName().equals("ExportedState")) {
        String row = "`" + firstBytes(schema) + "` |";
        assertThat(page).contains("/" + schema.getName() + ".avsc) | " + row);
      }
    }
  }

  /** Readers in other languages are copied from pages. */
  @Test
  void the_first_bytes_in_all_pages_are_those_of_current_schemas() throws Exception {
    List<String> named = new ArrayList<>();
    try (Stream<Path> pages = Files.list(DOCS)) {
      for (Path page : pages.filter(Files::isRegularFile).toList()) {
        String text = new String(Files.readAllBytes(page), ISO_8859_1);
        String digits = text.replace(", 0x", "").replace("0x", "");
        FIRST_BYTES.matcher(digits).results().map(MatchResult::group).forEach(named::add);
      }
    }
    assertThat(named)
        .hasSizeGreaterThan(10)
        .isSubsetOf(schemas().map(SchemaEvolutionTest::firstBytes).toList());
  }

  private static String firstBytes(Schema schema) {
    return "c301" + HexFormat.of().formatHex(fingerprint(schema));
  }

  private static byte[] fingerprint(Schema schema) {
    try {
      return SchemaNormalization.parsingFingerprint("CRC-64-AVRO", schema);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("it is one of Avro's own", e);
    }
  }

  private static void publish(Schema schema) throws IOException {
    List<Schema> published = PublishedSchemas.of(schema.getName());
    if (!published.isEmpty() && published.get(published.size() - 1).equals(schema)) {
      return;
    }
    Path file =
        RESOURCES.resolve(PublishedSchemas.path(PublishedSchemas.VERSIONS, schema.getName()));
    Files.createDirectories(file.getParent());
    Files.writeString(file, SchemaFormatter.format("json/pretty", schema) + "\n");
    if (!published.isEmpty()) {
      rewritePages(firstBytes(published.get(published.size() - 1)), firstBytes(schema));
    }
  }

  /** In both notations: {@code c301...} and {@code 0xc3, 0x01, ...}. */
  private static void rewritePages(String before, String after) throws IOException {
    try (Stream<Path> pages = Files.list(DOCS)) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        String text = Files.readString(page);
        String now = text.replace(before, after).replace(listed(before), listed(after));
        if (!now.equals(text)) {
          Files.writeString(page, now);
        }
      }
    }
  }

  private static String listed(String hex) {
    return hex.replaceAll("..", ", 0x$0").substring(2);
  }

  /** The generated classes' schemas say that text is a Java String, which concerns no one else. */
  private static Schema withoutJavaHints(Schema schema) {
    String json = schema.toString().replace(",\"" + GenericData.STRING_PROP + "\":\"String\"", "");
    return new Schema.Parser().parse(json);
  }
}
