package io.waterclock.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import java.nio.charset.StandardCharsets;

/**
 * Reads a definition from a file. JSON and Avro go to the scheduler byte for byte, so that its
 * answer is about the content of the file. Other content is read as YAML and becomes JSON.
 */
public final class DefinitionFile {
  private DefinitionFile() {}

  /**
   * The bytes to write to the topic.
   *
   * @throws Failure if the file cannot be read, or is neither JSON nor Avro nor a YAML mapping
   */
  public static byte[] read(String fileOrDash, Terminal terminal) {
    byte[] content = terminal.read(fileOrDash);
    if (content.length == 0) {
      throw new Failure(name(fileOrDash) + " is empty; a definition is JSON or YAML.");
    }
    boolean avro = content[0] == 0 || (content[0] & 0xff) == 0xc3;
    if (avro) {
      return content;
    }
    String text = new String(content, StandardCharsets.UTF_8).strip();
    return text.startsWith("{")
        ? text.getBytes(StandardCharsets.UTF_8)
        : fromYaml(text, fileOrDash);
  }

  private static byte[] fromYaml(String text, String fileOrDash) {
    try {
      JsonNode tree = new YAMLMapper().readTree(text);
      if (tree == null || !tree.isObject()) {
        throw new Failure(
            name(fileOrDash)
                + " is neither a JSON object nor a YAML mapping; write, for example: every: 5m");
      }
      return new ObjectMapper().writeValueAsBytes(tree);
    } catch (JsonProcessingException e) {
      throw new Failure(
          name(fileOrDash)
              + " is not YAML: "
              + firstLine(e.getOriginalMessage())
              + " at line "
              + (e.getLocation() == null ? "?" : e.getLocation().getLineNr())
              + "; quote values that begin with * or @, such as cron: \"*/5 * * * *\".",
          e);
    }
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }

  private static String name(String fileOrDash) {
    return fileOrDash.equals("-") ? "Standard input" : "The file " + fileOrDash;
  }
}
