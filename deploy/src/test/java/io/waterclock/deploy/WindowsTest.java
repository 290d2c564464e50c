package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * waterclock.cmd does what the launcher of other systems does, as far as it can be told by reading.
 */
final class WindowsTest {
  private static List<String> found(String file, String pattern) throws IOException {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(Files.readString(Documents.ROOT.resolve(file)))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void java_gets_the_options_that_the_launcher_gives_it() throws IOException {
    List<String> options = found("waterclock", "^ +options=\"(.*)\"$");
    assertThat(options).hasSize(3);
    assertThat(found("waterclock.cmd", "^set \"options=(.*)\"\\r?$"))
        .containsExactlyInAnyOrderElementsOf(options);
    assertThat(found("waterclock.cmd", "^set \"gc=(.*)\"\\r?$"))
        .containsExactlyElementsOf(found("waterclock", "^ *gc=\"?(-[^\"\n]*)\"?$"));
    assertThat(found("waterclock.cmd", "(-Xshare:auto .*)%\\*"))
        .containsExactly(
            "-Xshare:auto %gc% %options% %JAVA_OPTS% %WATERCLOCK_OPTS% -cp \"%jars%\""
                + " io.waterclock.cli.Main ");
  }

  @Test
  void it_takes_the_jars_from_where_the_launcher_does() throws IOException {
    assertThat(found("waterclock.cmd", "^.*set \"jar=%~dp0(.*)\"\\r?$"))
        .map(path -> path.replace('\\', '/'))
        .containsExactlyInAnyOrderElementsOf(found("waterclock", "^ +jar=\\$home/(.*)$"));
  }

  @Test
  void it_takes_further_jars_from_where_the_launcher_does() throws IOException {
    assertThat(found("waterclock.cmd", "^.*%%~dpi(.*)\\\\\"\\r?$"))
        .map(path -> path.replace('\\', '/'))
        .containsExactlyElementsOf(found("waterclock", "classpath:\\$\\{jar%/\\*}/(.*)/\\*$"));
    assertThat(found("waterclock.cmd", ";%(\\w+)%\"\\r?$"))
        .containsExactlyElementsOf(found("waterclock", "classpath=\\$classpath:\\$(\\w+)$"));
  }

  @Test
  void every_label_that_it_goes_to_is_there_and_every_line_ends_as_windows_wants()
      throws IOException {
    assertThat(found("waterclock.cmd", "goto (\\w+)"))
        .isSubsetOf(found("waterclock.cmd", "^:(\\w+)\\r?$"));
    String text = Files.readString(Documents.ROOT.resolve("waterclock.cmd"));
    assertThat(text.split("\\r\\n", -1)).noneMatch(line -> line.contains("\n"));
  }
}
