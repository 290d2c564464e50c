package io.waterclock.connect;

import java.util.Optional;

/** The version of these plug-ins. */
public final class PluginVersion {
  private PluginVersion() {}

  /** The version in the jar's manifest. */
  public static String get() {
    return Optional.ofNullable(PluginVersion.class.getPackage().getImplementationVersion())
        .orElse("development");
  }
}
