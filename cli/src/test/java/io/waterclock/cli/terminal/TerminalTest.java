package io.waterclock.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CommandTree;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TerminalTest {
  private final StringWriter out = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "acme/a  PAUSED  every PT1S, acme/a  <33m>PAUSED<0m>  every PT1S",
        "WRONG  topic fires: away, <31m>WRONG<0m>  topic fires: away",
        "acme/a  ACTIVE, acme/a  <32m>ACTIVE<0m>",
        "acme/a  (rejected)  every PT1S, acme/a  <31m>(rejected)<0m>  every PT1S",
        "it is WRONG  INACTIVE  FIREDX, it is WRONG  INACTIVE  FIREDX",
        "{\"state\":\"PAUSED\"}, {\"state\":\"PAUSED\"}",
        "<31m>red, \\u001b[31mred"
      })
  void words_for_states_are_coloured_and_nothing_colours_itself(String line, String expected) {
    Terminal terminal = terminal(true);
    terminal.println(escaped(line));
    terminal.flush();
    assertThat(out.toString()).isEqualToIgnoringNewLines(escaped(expected));
  }

  @Test
  void without_colours_a_line_stays_as_it_is() {
    Terminal terminal = terminal(false);
    terminal.println("acme/a  PAUSED");
    terminal.flush();
    assertThat(out.toString()).isEqualToIgnoringNewLines("acme/a  PAUSED");
  }

  @Test
  void help_has_colours_where_the_terminal_has() {
    CommandTree.on(terminal(true)).execute("pause", "--help");
    assertThat(out.toString()).contains("\u001b[").doesNotContain("\\u001b");
    out.getBuffer().setLength(0);
    CommandTree.on(terminal(false)).execute("pause", "--help");
    assertThat(out.toString()).doesNotContain("\u001b[");
  }

  /** {@code <31m>} for the escape sequence. */
  private static String escaped(String text) {
    return text.replaceAll("<(\\d+m)>", "\u001b[$1");
  }

  private Terminal terminal(boolean colors) {
    PrintWriter writer = new PrintWriter(out);
    return new Terminal(
        InputStream.nullInputStream(), writer, writer, InstantSource.system(), colors, colors);
  }
}
