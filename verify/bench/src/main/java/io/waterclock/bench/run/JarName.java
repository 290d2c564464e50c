package io.waterclock.bench.run;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Names libraries as their files are named, with their versions. */
public final class JarName {
  private static final String JAR = ".jar";

  private JarName() {}

  /** The library that a class comes from, as in {@code kafka-clients-4.3.1}. */
  public static String of(Class<?> type) {
    String name = String.valueOf(place(type).getFileName());
    return name.endsWith(JAR) ? name.substring(0, name.length() - JAR.length()) : name;
  }

  /** The file or folder that a class comes from. */
  public static Path place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a class path that is none", e);
    }
  }
}
