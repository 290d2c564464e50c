package io.waterclock.it;

import io.waterclock.runtime.config.WaterclockConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of topics and of their settings in docs/configuration.md. */
final class TopicTable {
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| `(<(?:prefix|application\\.id)>[^`]*)` \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|$");
  private static final Pattern SETTING = Pattern.compile("`([a-z.]+)=([^`]+)`");
  private static final Pattern LOSS =
      Pattern.compile("(?m)^\\| `([a-z.]+)` \\| lost: ([^|]*) \\|$");

  private TopicTable() {}

  /** The settings of each topic. */
  static Map<String, Map<String, String>> read(WaterclockConfig config) throws IOException {
    return read(config, true);
  }

  /** The settings of each topic that the scheduler needs. */
  static Map<String, Map<String, String>> needed(WaterclockConfig config) throws IOException {
    return read(config, false);
  }

  private static Map<String, Map<String, String>> read(WaterclockConfig config, boolean wanted)
      throws IOException {
    Map<String, Map<String, String>> topics = new TreeMap<>();
    Matcher row = ROW.matcher(page());
    while (row.find()) {
      String name =
          row.group(1)
              .replace("<prefix>", config.topics().prefix())
              .replace("<application.id>", config.applicationId());
      Map<String, String> settings = new TreeMap<>();
      SETTING
          .matcher(row.group(3) + (wanted ? row.group(4) : ""))
          .results()
          .forEach(setting -> settings.put(setting.group(1), setting.group(2)));
      topics.put(name, settings);
    }
    return topics;
  }

  /** What is lost without each wanted setting. */
  static Map<String, String> losses() throws IOException {
    Map<String, String> losses = new TreeMap<>();
    LOSS.matcher(page()).results().forEach(row -> losses.put(row.group(1), row.group(2)));
    return losses;
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "..", "docs", "configuration.md"));
  }
}
