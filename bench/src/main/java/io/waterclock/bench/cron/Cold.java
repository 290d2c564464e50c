package io.waterclock.bench.cron;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The time that a fresh JVM takes to find that an expression never occurs.
 *
 * @param first the median over many JVMs of the first decision, in milliseconds
 * @param slowest the slowest first decision, in milliseconds
 * @param second the median of the next, for another expression, in milliseconds
 */
record Cold(double first, double slowest, double second) {
  private static final double NANOS_PER_MS = 1e6;

  /** Starts so many JVMs, one after the other. */
  static Cold measure(Library library, List<String> expressions, int jvms) {
    List<long[]> runs = new ArrayList<>();
    for (int i = 0; i < jvms; i++) {
      runs.add(run(library, expressions));
    }
    long[] first = runs.stream().mapToLong(run -> run[0]).sorted().toArray();
    long[] second = runs.stream().mapToLong(run -> run[1]).sorted().toArray();
    return new Cold(median(first), first[jvms - 1] / NANOS_PER_MS, median(second));
  }

  private static double median(long[] sorted) {
    return sorted[sorted.length / 2] / NANOS_PER_MS;
  }

  private static long[] run(Library library, List<String> expressions) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(ColdMain.class.getName());
    command.add(library.name());
    command.addAll(expressions);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("CLASSPATH", classPath(library));
    try {
      Process process = builder.start();
      try (InputStream out = process.getInputStream()) {
        String line = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
        return Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The library first: opening the hundred archives of this bench is no part of the decision. */
  private static String classPath(Library library) {
    return Stream.of(ColdMain.class, library.type())
        .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
        .collect(Collectors.joining(File.pathSeparator, "", File.pathSeparator))
        .concat(System.getProperty("java.class.path"));
  }
}
