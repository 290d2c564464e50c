package io.waterclock.connect;

import java.util.function.Function;
import org.apache.kafka.common.config.ConfigException;

/** Settings whose text has a form of its own, such as a prefix of topics. */
public final class Setting {
  private Setting() {}

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
