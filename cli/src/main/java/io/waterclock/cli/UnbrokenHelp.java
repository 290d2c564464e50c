package io.waterclock.cli;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help whose lines end at spaces alone, so that what people copy stays whole. Picocli asks Java
 * where a line may end, which is also within {@code ~/.config}; a letter stands for each mark of
 * punctuation until the lines are made.
 */
final class UnbrokenHelp extends Help {
  /** The first of the letters, in Unicode's area for private use. */
  private static final char LETTERS = '\uE000';

  private UnbrokenHelp(CommandSpec command, ColorScheme colors) {
    super(command, colors);
  }

  /** Gives this help to a command and all that are below it. */
  static void giveTo(CommandLine command) {
    command.setHelpFactory(UnbrokenHelp::new);
    command
        .getHelpSectionMap()
        .replaceAll((key, section) -> help -> withPunctuation(section.render(help)));
    command.getSubcommands().values().forEach(UnbrokenHelp::giveTo);
  }

  @Override
  public String description(Object... params) {
    return lines(commandSpec().usageMessage().description(), params);
  }

  @Override
  public String footer(Object... params) {
    return lines(commandSpec().usageMessage().footer(), params);
  }

  private String lines(String[] texts, Object... params) {
    UsageMessageSpec usage = commandSpec().usageMessage();
    return join(
            ansi(),
            usage.width(),
            usage.adjustLineBreaksForWideCJKCharacters(),
            Arrays.stream(texts).map(UnbrokenHelp::withLetters).toArray(String[]::new),
            new StringBuilder(),
            params)
        .toString();
  }

  @Override
  public IOptionRenderer createDefaultOptionRenderer() {
    IOptionRenderer renderer = super.createDefaultOptionRenderer();
    return (option, label, scheme) -> withLetters(renderer.render(option, label, scheme));
  }

  @Override
  public IParameterRenderer createDefaultParameterRenderer() {
    IParameterRenderer renderer = super.createDefaultParameterRenderer();
    return (parameter, label, scheme) -> withLetters(renderer.render(parameter, label, scheme));
  }

  /** The last column of each row is the description. */
  private Text[][] withLetters(Text[][] rows) {
    for (Text[] row : rows) {
      int last = row.length - 1;
      row[last] = ansi().new Text(withLetters(row[last].plainString()), colorScheme());
    }
    return rows;
  }

  private static String withLetters(String text) {
    return text.chars()
        .mapToObj(c -> Character.toString(isPunctuation(c) ? LETTERS + c : c))
        .collect(Collectors.joining());
  }

  /** Of ASCII; the percent sign stands for parameters. */
  private static boolean isPunctuation(int c) {
    return c > ' ' && c < 127 && c != '%' && !Character.isLetterOrDigit(c);
  }

  private static String withPunctuation(String text) {
    return text.chars()
        .mapToObj(c -> Character.toString(c > LETTERS && c < LETTERS + 127 ? c - LETTERS : c))
        .collect(Collectors.joining());
  }
}
