package io.waterclock.cli.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.TerminalCommand;
import io.waterclock.cli.terminal.WrongUsage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "context",
    description = {
      "Name connections to clusters, and choose the one that commands use.",
      "",
      "A context holds what the connection options of a command say, in"
          + " ~/.config/waterclock/contexts, which only you can read. An option or variable that names"
          + " a broker takes the place of the context in use; --context chooses another one for a"
          + " single command."
    },
    footer = {
      "",
      "Example:",
      "  waterclock context set staging --bootstrap-server kafka:9093",
      "  waterclock context use staging",
      "  waterclock list"
    })
public final class ContextCommand extends TerminalCommand {
  private final Contexts contexts;

  public ContextCommand(Contexts contexts) {
    this.contexts = contexts;
  }

  @Override
  public Integer call() {
    throw new WrongUsage("A command is missing: list, set, use or delete.");
  }

  @Command(name = "list", description = "List the contexts; * marks the one in use.")
  int list(
      @Option(names = "--json", description = "Print each as one line of JSON.") boolean json) {
    Optional<String> current = contexts.current();
    Table table = new Table("", "NAME", "BOOTSTRAP SERVERS", "PREFIX");
    for (String name : contexts.names()) {
      Map<String, String> settings = contexts.get(name);
      boolean inUse = current.filter(name::equals).isPresent();
      String servers = settings.getOrDefault("bootstrap.servers", "-");
      String prefix = settings.getOrDefault("prefix", "-");
      if (json) {
        ObjectNode tree = new ObjectMapper().createObjectNode().put("name", name);
        tree.put("bootstrap_servers", servers).put("prefix", prefix).put("in_use", inUse);
        println(tree);
      } else {
        table.row(List.of(inUse ? "*" : "", name, servers, prefix));
      }
    }
    if (!json) {
      table.print(terminal().out());
    }
    return ExitCode.OK;
  }

  @Command(name = "set", description = "Create a context from connection options, or replace it.")
  int set(
      @Parameters(paramLabel = "NAME", description = "The name of the context.") String name,
      @Mixin ConnectionOptions connection) {
    if (connection.bootstrapServer.isEmpty() && connection.commandConfig.isEmpty()) {
      throw new WrongUsage("The broker is missing: give --bootstrap-server or --command-config.");
    }
    contexts.put(name, connection.toContext());
    println(name + ": " + connection.bootstrapServer());
    return ExitCode.OK;
  }

  @Command(name = "use", description = "Use a context from now on.")
  int use(@Parameters(paramLabel = "NAME", description = "The name of the context.") String name) {
    contexts.use(name);
    println("Commands use " + name + " now.");
    return ExitCode.OK;
  }

  @Command(name = "delete", description = "Delete a context.")
  int delete(
      @Parameters(paramLabel = "NAME", description = "The name of the context.") String name) {
    contexts.delete(name);
    println(name + " deleted");
    return ExitCode.OK;
  }
}
