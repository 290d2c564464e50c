package io.waterclock.bench.meter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * What was sent to topics so far, as a broker keeps it.
 *
 * @param batches without those that end transactions
 * @param bytes of these batches
 * @param transactions how many ended in the partition in which most did
 */
public record Sent(long batches, long records, long bytes, long transactions) {
  public static final Sent NOTHING = new Sent(0, 0, 0, 0);

  /**
   * Reads the heads of all batches, once.
   *
   * @param logs the directory of a broker
   * @return by topic
   */
  public static Map<String, Sent> of(Path logs) {
    return partitions(logs).stream()
        .collect(Collectors.toMap(Sent::topic, Sent::toPartition, Sent::and));
  }

  private static List<Path> partitions(Path logs) {
    try (Stream<Path> all = Files.list(logs)) {
      return all.filter(path -> path.getFileName().toString().matches(".+-\\d+")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String topic(Path partition) {
    return partition.getFileName().toString().replaceFirst("-\\d+$", "");
  }

  private static Sent toPartition(Path partition) {
    long batches = 0;
    long records = 0;
    long bytes = 0;
    long ends = 0;
    try (Stream<Path> segments = Files.list(partition)) {
      for (Path segment : (Iterable<Path>) segments.filter(Sent::isSegment)::iterator) {
        try (FileRecords log = FileRecords.open(segment.toFile(), false)) {
          for (RecordBatch batch : log.batches()) {
            if (batch.isControlBatch()) {
              ends++;
            } else {
              batches++;
              records += batch.lastOffset() - batch.baseOffset() + 1;
              bytes += batch.sizeInBytes();
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Sent(batches, records, bytes, ends);
  }

  private static boolean isSegment(Path file) {
    return file.toString().endsWith(".log");
  }

  Sent and(Sent other) {
    return new Sent(
        batches + other.batches,
        records + other.records,
        bytes + other.bytes,
        Math.max(transactions, other.transactions));
  }

  public Sent since(Sent before) {
    return new Sent(
        batches - before.batches,
        records - before.records,
        bytes - before.bytes,
        transactions - before.transactions);
  }
}
