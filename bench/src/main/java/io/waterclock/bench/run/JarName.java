package io.waterclock.bench.run;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Names libraries as their files are named, with their versions. */
public final class JarName {
  private static final String JAR = ".jar";

  private JarName() {}

  /** The library that a class comes from, as in {@code kafka-clients-4.3.1}. */
  public static String of(Class<?> type) {
    try {
      Path file = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      String name = String.valueOf(file.getFileName());
      return name.endsWith(JAR) ? name.substring(0, name.length() - JAR.length()) : name;
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a class path that is none", e);
    }
  }
}
