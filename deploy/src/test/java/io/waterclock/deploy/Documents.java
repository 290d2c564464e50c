package io.waterclock.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reads files of this repository. */
final class Documents {
  /** The root of the source checkout. */
  static final Path ROOT = Path.of("..");

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private Documents() {}

  /** All documents of a YAML file. */
  static List<JsonNode> of(Path file) throws IOException {
    try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
      return documents.readAll();
    }
  }

  /** The first groups of all lines of the Dockerfile that match. */
  static List<String> dockerfile(String line) throws IOException {
    return Pattern.compile(line, Pattern.MULTILINE)
        .matcher(Files.readString(ROOT.resolve("Dockerfile")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }
}
