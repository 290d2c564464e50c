package io.waterclock.runtime.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Marks the record that each task of this instance is taking in, in a file that survives the
 * process. A killed process, or one that its JVM halted, cannot report the record that ended it.
 *
 * <p>Idea: the file is mapped into memory, so a mark is one store of eight bytes, about a
 * nanosecond, and the kernel keeps it when the process ends. Marks are not flushed to disk, since
 * no record causes a power cut. Only a task's stream thread writes its mark.
 */
record RecordMarks(LongBuffer marks) {
  private static final int TOPIC_BITS = 2;
  private static final int PARTITION_BITS = 15;
  private static final int OFFSET_BITS = 46;

  /**
   * A record that a task was taking in.
   *
   * @param topic its index in the list of inputs
   */
  record Mark(int topic, int partition, long offset) {}

  /**
   * Opens the marks of an instance, or creates an empty file.
   *
   * @param tasks the largest number of tasks
   * @throws UncheckedIOException if the file cannot be written
   */
  static RecordMarks open(Path file, int tasks) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try (FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        fill(channel, tasks * Long.BYTES);
        return new RecordMarks(
            channel
                .map(FileChannel.MapMode.READ_WRITE, 0, (long) tasks * Long.BYTES)
                .asLongBuffer());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the state on disk cannot be written: %s: %s".formatted(file, e.getMessage()), e);
    }
  }

  /** A page of a mapped file that finds no space on the disk is an error of the JVM. */
  private static void fill(FileChannel channel, int bytes) throws IOException {
    ByteBuffer missing = ByteBuffer.allocate(Math.max(0, bytes - (int) channel.size()));
    while (missing.hasRemaining()) {
      channel.write(missing, channel.size());
    }
  }

  void set(int task, Mark mark) {
    marks.put(task, encode(mark));
  }

  void clear(int task) {
    marks.put(task, 0);
  }

  boolean isSet(int task) {
    return marks.get(task) < 0;
  }

  /** Returns the marks that the last process left, and clears them. */
  List<Mark> takeLeft() {
    List<Mark> left = new ArrayList<>();
    for (int task = 0; task < marks.capacity(); task++) {
      long mark = marks.get(task);
      if (mark < 0) {
        left.add(decode(mark));
      }
      clear(task);
    }
    return left;
  }

  /** Negative, to differ from an empty mark. */
  private static long encode(Mark mark) {
    return Long.MIN_VALUE
        | (long) mark.topic() << (PARTITION_BITS + OFFSET_BITS)
        | (long) mark.partition() << OFFSET_BITS
        | mark.offset();
  }

  private static Mark decode(long mark) {
    return new Mark(
        (int) (mark >>> (PARTITION_BITS + OFFSET_BITS)) & ((1 << TOPIC_BITS) - 1),
        (int) (mark >>> OFFSET_BITS) & ((1 << PARTITION_BITS) - 1),
        mark & ((1L << OFFSET_BITS) - 1));
  }

  /** False for a record whose partition or offset is too large for a mark. */
  static boolean fits(Mark mark) {
    return mark.partition() < 1 << PARTITION_BITS && mark.offset() < 1L << OFFSET_BITS;
  }
}
