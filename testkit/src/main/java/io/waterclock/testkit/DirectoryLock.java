package io.waterclock.testkit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Holds a data directory for one broker; the operating system releases it when a process dies. */
final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Creates {@code directory} if need be and takes its lock.
   *
   * @throws EmbeddedKafkaException if it is in use or cannot be written
   */
  static DirectoryLock take(Path directory) {
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(
              directory.resolve("broker.lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      if (!tryLock(channel)) {
        channel.close();
        throw new EmbeddedKafkaException(
            "The data directory "
                + directory
                + " is in use by another broker; stop that one or choose another directory.");
      }
      return new DirectoryLock(channel);
    } catch (IOException e) {
      throw new EmbeddedKafkaException(
          "The data directory " + directory + " cannot be used: " + e + ".", e);
    }
  }

  // The lock belongs to the channel and goes with it; nothing else holds on to the FileLock.
  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // held by another broker in this JVM
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
