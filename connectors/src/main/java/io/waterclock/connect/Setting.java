package io.waterclock.connect;

import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;

/** Reads the settings of the plug-ins that are texts. Thread-safe. */
public final class Setting {
  private Setting() {}

  /** The text of a setting without the spaces around it; empty if none is left. */
  public static Optional<String> text(AbstractConfig config, String key) {
    return Optional.of(config.getString(key).strip()).filter(text -> !text.isEmpty());
  }

  /**
   * Parses the text of a setting.
   *
   * @param parser throws an {@link IllegalArgumentException} for a wrong text
   * @throws ConfigException with the key, the text and the parser's message
   */
  public static <T> T parse(String key, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key, text, e.getMessage());
    }
  }
}
