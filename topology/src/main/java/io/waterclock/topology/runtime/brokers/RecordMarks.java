package io.waterclock.topology.runtime.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Which record each task of this instance is taking in, in a file that outlives the process: one
 * that is killed, or halted by its JVM, cannot say any more of what it died.
 *
 * <p>Idea: the file is mapped, so a mark is one store of eight bytes, about a nanosecond, and the
 * kernel has it when the process is gone. It is not flushed to disk: a power cut is the fault of no
 * record. A task's mark is written by its stream thread alone.
 */
final class RecordMarks {
  private static final int TOPIC_BITS = 2;
  private static final int PARTITION_BITS = 15;
  private static final int OFFSET_BITS = 46;

  /**
   * A record that was being taken in.
   *
   * @param topic its number among those that are read
   */
  record Mark(int topic, int partition, long offset) {}

  private final LongBuffer marks;

  private RecordMarks(LongBuffer marks) {
    this.marks = marks;
  }

  /**
   * Opens the marks of an instance, or begins with none.
   *
   * @param tasks how many there may be
   * @throws UncheckedIOException if the file cannot be written
   */
  static RecordMarks open(Path file, int tasks) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try (FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        return new RecordMarks(
            channel
                .map(FileChannel.MapMode.READ_WRITE, 0, (long) tasks * Long.BYTES)
                .asLongBuffer());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the state on disk cannot be written: " + file, e);
    }
  }

  void set(int task, Mark mark) {
    marks.put(task, encode(mark));
  }

  void clear(int task) {
    marks.put(task, 0);
  }

  /** What the last process was taking in when it ended; forgotten from now on. */
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

  /** Below zero, to be told from none. */
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

  /** False for what no mark has room for. */
  static boolean fits(Mark mark) {
    return mark.partition() < 1 << PARTITION_BITS && mark.offset() < 1L << OFFSET_BITS;
  }
}
