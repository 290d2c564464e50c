package io.waterclock.connect.stack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** What a worker finds in its {@code plugin.path}: our archive, and Debezium's source and sink. */
public final class Plugins {
  private static final String ARCHIVE = "waterclock.plugin";
  private static final String DEBEZIUM = "waterclock.debezium";

  private Plugins() {}

  /** True where the build has packed ours and unpacked Debezium's, which is after package. */
  public static boolean arePacked() {
    return System.getProperty(ARCHIVE) != null;
  }

  /** The names of the jars of our archive. */
  static Set<String> jars() throws IOException {
    Set<String> names = new TreeSet<>();
    try (ZipInputStream zip = archive()) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().endsWith(".jar")) {
          names.add(Path.of(entry.getName()).getFileName().toString());
        }
      }
    }
    return names;
  }

  /** Makes a {@code plugin.path} of a directory: ours unpacked, Debezium's linked to. */
  public static Path in(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (ZipInputStream zip = archive()) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = directory.resolve(entry.getName()).normalize();
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.copy(zip, target);
        }
      }
    }
    try (Stream<Path> debezium = Files.list(Path.of(System.getProperty(DEBEZIUM)))) {
      for (Path plugin : debezium.toList()) {
        Files.createSymbolicLink(directory.resolve(plugin.getFileName()), plugin.toRealPath());
      }
    }
    return directory;
  }

  private static ZipInputStream archive() throws IOException {
    InputStream file = Files.newInputStream(Path.of(System.getProperty(ARCHIVE)));
    return new ZipInputStream(file);
  }
}
