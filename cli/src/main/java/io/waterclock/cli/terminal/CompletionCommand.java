package io.waterclock.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

@Command(
    name = "completion",
    description = "Print a script with which your shell completes commands and options.",
    footer = {
      "",
      "Examples:",
      "  source <(waterclock completion bash)      # in ~/.bashrc",
      "  source <(waterclock completion zsh)       # in ~/.zshrc",
      "  waterclock completion fish | source       # in ~/.config/fish/config.fish"
    })
public final class CompletionCommand extends TerminalCommand {
  enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
  Shell shell = Shell.BASH;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    terminal()
        .print(
            shell == Shell.FISH
                ? String.join("\n", fish(root))
                : AutoComplete.bash(root.getCommandName(), root)); // it serves zsh, too
    return ExitCode.OK;
  }

  private static List<String> fish(CommandLine root) {
    List<String> lines = new ArrayList<>(List.of("complete -c " + root.getCommandName() + " -f"));
    root.getSubcommands()
        .forEach((name, command) -> fish("__fish_use_subcommand", name, command, lines));
    return lines;
  }

  private static void fish(String condition, String name, CommandLine command, List<String> lines) {
    String complete = "complete -c waterclock -n '";
    lines.add(
        complete + condition + "' -a " + name + described(description(command.getCommandSpec())));
    String seen = "__fish_seen_subcommand_from " + name;
    for (OptionSpec option : command.getCommandSpec().options()) {
      String value = option.arity().max() == 0 ? "" : " -r";
      for (String spelling : option.names()) {
        String flag =
            spelling.startsWith("--")
                ? " -l " + spelling.substring(2)
                : " -s " + spelling.substring(1);
        lines.add(
            complete
                + seen
                + "'"
                + flag
                + value
                + described(String.join(" ", option.description())));
      }
    }
    for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
      fish(seen, sub.getKey(), sub.getValue(), lines);
    }
  }

  private static String description(CommandSpec command) {
    return String.join(" ", command.usageMessage().description());
  }

  /** The first sentence, without what stands in brackets. */
  private static String described(String text) {
    String sentence =
        text.replaceAll("\\s+", " ").replaceAll(" \\(.*", "").replaceFirst("[.:;]( .*|$)", "");
    return sentence.isEmpty()
        ? ""
        : " -d '" + sentence.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
