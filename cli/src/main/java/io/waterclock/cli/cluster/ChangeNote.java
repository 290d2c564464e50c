package io.waterclock.cli.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Why something is done to a schedule, and by whom. */
public final class ChangeNote {
  @Option(names = "--note", paramLabel = "TEXT", description = "Why.")
  Optional<String> note = Optional.empty();

  @Option(
      names = "--author",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "Who does it, or nothing (default: ${DEFAULT-VALUE}).")
  Optional<String> author = Optional.empty();

  public void addTo(ObjectNode action) {
    note.ifPresent(text -> action.put("note", text));
    author.filter(name -> !name.isBlank()).ifPresent(name -> action.put("author", name));
  }
}
