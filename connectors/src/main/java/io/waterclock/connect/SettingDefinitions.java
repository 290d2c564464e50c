package io.waterclock.connect;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/**
 * Defines the settings of a plug-in, each by its type, with its default, and its documentation:
 * {@code new SettingDefinitions().text(HIGH, "url").doc("The URL.")}. For one thread.
 */
public final class SettingDefinitions {
  private final ConfigDef settings = new ConfigDef();

  /** A setting without its documentation, and not yet defined. */
  public interface Undocumented {
    SettingDefinitions doc(String documentation);
  }

  /** A text, empty by default. */
  public Undocumented text(Importance importance, String key) {
    return text(importance, key, "");
  }

  /**
   * A text.
   *
   * @param allowed the texts that are valid; all if none is given
   */
  public Undocumented text(Importance importance, String key, String otherwise, String... allowed) {
    @Nullable Validator valid = allowed.length == 0 ? null : ValidString.in(allowed);
    return setting(importance, key, ConfigDef.Type.STRING, otherwise, valid);
  }

  /** A text that Connect does not show, empty by default. */
  public Undocumented secret(Importance importance, String key) {
    return setting(importance, key, ConfigDef.Type.PASSWORD, new Password(""), null);
  }

  /** A list of texts with commas between them. */
  public Undocumented list(Importance importance, String key, String otherwise) {
    return setting(importance, key, ConfigDef.Type.LIST, otherwise, null);
  }

  /** True or false, and false by default. */
  public Undocumented flag(Importance importance, String key) {
    return setting(importance, key, ConfigDef.Type.BOOLEAN, false, null);
  }

  /** A whole number, an int or a long, between two bounds, which are valid. */
  public Undocumented number(
      Importance importance, String key, Number otherwise, Number least, Number most) {
    ConfigDef.Type type = otherwise instanceof Integer ? ConfigDef.Type.INT : ConfigDef.Type.LONG;
    return setting(importance, key, type, otherwise, Range.between(least, most));
  }

  private Undocumented setting(
      Importance importance,
      String key,
      ConfigDef.Type type,
      Object otherwise,
      @Nullable Validator valid) {
    return documentation -> {
      settings.define(key, type, otherwise, valid, importance, documentation);
      return this;
    };
  }

  public ConfigDef settings() {
    return settings;
  }
}
