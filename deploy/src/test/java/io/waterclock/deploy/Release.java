package io.waterclock.deploy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * The {@code waterclock} command as it lies in an image or an unpacked release: the launcher, and a
 * jar beside it. The jar refers to the class path of this test instead of to a directory {@code
 * lib}.
 */
final class Release {
  private Release() {}

  /** Unpacks one; returns the launcher. */
  static Path in(Path directory) throws IOException {
    Files.createDirectories(directory);
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, "io.waterclock.cli.Main");
    attributes.put(Attributes.Name.CLASS_PATH, classPath());
    try (OutputStream out = Files.newOutputStream(directory.resolve("waterclock.jar"))) {
      new JarOutputStream(out, manifest).close();
    }
    Path launcher = directory.resolve("waterclock");
    Files.copy(Documents.ROOT.resolve("waterclock"), launcher);
    if (!launcher.toFile().setExecutable(true)) {
      throw new IOException(launcher + " cannot be made executable");
    }
    return launcher;
  }

  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toUri().toString())
        .collect(Collectors.joining(" "));
  }
}
