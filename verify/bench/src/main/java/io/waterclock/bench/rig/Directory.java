package io.waterclock.bench.rig;

import io.waterclock.bench.run.Progress;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/**
 * The data directory of the processes: a new directory in a named one, or a temporary directory
 * that {@link #close} deletes.
 */
public final class Directory implements AutoCloseable {
  private static final Duration END_BOUND = Duration.ofSeconds(20);

  private final Path path;
  private final boolean isTemporary;

  private Directory(Path path, boolean isTemporary) {
    this.path = path;
    this.isTemporary = isTemporary;
  }

  public static Path in(Path parent, String prefix) {
    try {
      return Files.createTempDirectory(Files.createDirectories(parent).toAbsolutePath(), prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Directory of(Optional<Path> named) {
    return named
        .map(parent -> new Directory(in(parent, "run-"), false))
        .orElseGet(Directory::temporary);
  }

  /** A termination of this JVM from outside deletes it, too. */
  private static Directory temporary() {
    Directory directory =
        new Directory(in(Path.of(System.getProperty("java.io.tmpdir")), "waterclock-bench"), true);
    Runtime.getRuntime().addShutdownHook(new Thread(directory::abandon));
    return directory;
  }

  /** Ends all processes first: they write here, and some read their settings here to clean up. */
  private void abandon() {
    if (!Files.exists(path)) {
      return;
    }
    Child.endAll();
    List<ProcessHandle> processes = ProcessHandle.current().descendants().toList();
    processes.forEach(ProcessHandle::destroy);
    CompletableFuture<?>[] ends =
        processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(ends).get(END_BOUND.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      processes.forEach(ProcessHandle::destroyForcibly);
      CompletableFuture.allOf(ends).join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close();
  }

  public Path path() {
    return path;
  }

  /** The place of a file that stays when the directory is deleted. */
  public Path lasting(String name) {
    return isTemporary ? path.resolveSibling(path.getFileName() + "-" + name) : path.resolve(name);
  }

  /** The bytes of all files below a directory, as far as they stay while one looks. */
  static long bytes(File below) {
    File[] files = below.listFiles();
    return files == null ? below.length() : Stream.of(files).mapToLong(Directory::bytes).sum();
  }

  /** Reports and leaves what it cannot delete: the measurement is worth more. */
  @Override
  public void close() {
    if (!isTemporary || !Files.exists(path)) {
      return;
    }
    try {
      Utils.delete(path.toFile());
    } catch (IOException e) {
      Progress.say("left " + path + ": " + e);
    }
  }
}
