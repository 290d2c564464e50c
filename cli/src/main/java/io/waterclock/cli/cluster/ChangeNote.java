package io.waterclock.cli.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.HeaderNames;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The reason and the author of a change. */
public final class ChangeNote {
  @Option(names = "--note", paramLabel = "TEXT", description = "The reason.")
  Optional<String> note = Optional.empty();

  @Option(
      names = "--author",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "The author, or an empty text for none (default: ${DEFAULT-VALUE}).")
  Optional<String> author = Optional.empty();

  public Optional<String> text() {
    return note;
  }

  /** As headers of a definition or its tombstone, and of what becomes of a dead letter. */
  public Map<String, String> headers() {
    Map<String, String> headers = new HashMap<>();
    note.filter(text -> !text.isBlank()).ifPresent(text -> headers.put(HeaderNames.NOTE, text));
    author.filter(name -> !name.isBlank()).ifPresent(name -> headers.put(HeaderNames.AUTHOR, name));
    return headers;
  }

  public void addTo(ObjectNode action) {
    note.ifPresent(text -> action.put("note", text));
    author.filter(name -> !name.isBlank()).ifPresent(name -> action.put("author", name));
  }
}
