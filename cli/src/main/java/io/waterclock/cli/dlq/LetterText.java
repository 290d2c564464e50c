package io.waterclock.cli.dlq;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.deadletters.Destination;
import io.waterclock.client.deadletters.FailedRecord;
import io.waterclock.client.deadletters.Resolution;
import io.waterclock.schemas.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.common.header.Header;

/** Dead letters as JSON, and their bytes as text. */
final class LetterText {
  private LetterText() {}

  /** Without value and headers. */
  static ObjectNode json(FailedRecord letter, Topics topics) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("letter", letter.position()).put("at", letter.at().toString());
    letter
        .from()
        .origin()
        .ifPresent(
            origin -> {
              tree.put("origin", origin.position());
              origin.timestamp().ifPresent(at -> tree.put("origin_timestamp", at.toString()));
            });
    letter.from().group().ifPresent(group -> tree.put("group", group));
    letter.target().ifPresent(target -> tree.put("target", target));
    letter.schedule(topics).ifPresent(id -> tree.put("schedule_id", id));
    put(tree, "key", letter.content().key());
    tree.put("redriven", letter.from().redriven());
    if (!letter.from().isWhole()) {
      tree.put("whole", false);
    }
    return tree.put("reason", letter.reason());
  }

  /** With all that is in it, and where it would go. */
  static ObjectNode whole(FailedRecord letter, Topics topics, Destination destination) {
    ObjectNode tree = json(letter, topics);
    if (destination instanceof Destination.To to) {
      tree.put("goes_to", to.topic());
    } else if (destination instanceof Destination.Nowhere nowhere) {
      tree.put("stays", nowhere.why());
    }
    ArrayNode headers = tree.putArray("headers");
    for (Header header : letter.content().headers()) {
      put(
          headers.addObject().put("name", header.key()),
          "value",
          Optional.ofNullable(header.value()));
    }
    put(tree, "value", letter.content().value());
    return tree;
  }

  static ObjectNode json(Resolution resolution) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("letter", resolution.letter().partition() + "@" + resolution.letter().offset())
        .put("done", word(resolution.action()))
        .put("at", resolution.at().toString());
    if (resolution.redriven() > 0) {
      tree.put("redriven", resolution.redriven());
    }
    if (!resolution.author().isEmpty()) {
      tree.put("author", resolution.author());
    }
    if (!resolution.note().isEmpty()) {
      tree.put("note", resolution.note());
    }
    return tree;
  }

  static String word(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }

  /** The bytes as text, or in base 64 if they are none; "null" for none. */
  static String text(Optional<byte[]> bytes) {
    return bytes
        .map(all -> utf8(all).orElseGet(() -> "base64:" + Base64.getEncoder().encodeToString(all)))
        .orElse("null");
  }

  private static void put(ObjectNode tree, String name, Optional<byte[]> bytes) {
    if (bytes.isEmpty()) {
      tree.putNull(name);
      return;
    }
    Optional<String> text = utf8(bytes.get());
    if (text.isPresent()) {
      tree.put(name, text.get());
    } else {
      tree.put(name + "_base64", bytes.get());
    }
  }

  private static Optional<String> utf8(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
