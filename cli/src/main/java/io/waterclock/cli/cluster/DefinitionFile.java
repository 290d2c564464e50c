package io.waterclock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.cli.files.BrokenFileException;
import io.waterclock.cli.files.DefinitionFiles;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import java.util.List;

/**
 * Reads a definition from a file. JSON and Avro go to the scheduler byte for byte, so that its
 * answer is about the content of the file. Other content is read as YAML and becomes JSON.
 */
public final class DefinitionFile {
  private DefinitionFile() {}

  /** The bytes to write to the topic. */
  public static byte[] read(String fileOrDash, Terminal terminal) {
    byte[] content = terminal.read(fileOrDash);
    if (content.length == 0) {
      throw new Failure(name(fileOrDash) + " is empty; a definition is JSON or YAML.");
    }
    boolean avro = content[0] == 0 || (content[0] & 0xff) == 0xc3;
    if (avro) {
      return content;
    }
    String text = new String(content, UTF_8).strip();
    return text.startsWith("{") ? text.getBytes(UTF_8) : only(fileOrDash, content);
  }

  /** A second document would get lost. */
  private static byte[] only(String fileOrDash, byte[] content) {
    try {
      List<JsonNode> values = DefinitionFiles.values(fileOrDash, content);
      if (values.isEmpty() || !values.stream().allMatch(JsonNode::isObject)) {
        throw new Failure(
            name(fileOrDash)
                + " is neither a JSON object nor a YAML mapping; write, for example: every: 5m");
      }
      if (values.size() > 1) {
        throw new Failure(
            "%s has %s definitions, and this command writes one; 'waterclock apply' writes all."
                .formatted(name(fileOrDash), values.size()));
      }
      return values.get(0).toString().getBytes(UTF_8);
    } catch (BrokenFileException e) {
      throw new Failure(
          "%s, line %s, %s.".formatted(name(fileOrDash), e.line(), e.getMessage()), e);
    }
  }

  private static String name(String fileOrDash) {
    return fileOrDash.equals("-") ? "Standard input" : "The file " + fileOrDash;
  }
}
