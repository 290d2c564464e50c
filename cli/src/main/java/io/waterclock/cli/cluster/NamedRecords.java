package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** What has names in a compacted topic of its own: calendars, or limits. */
public record NamedRecords<T extends SpecificRecordBase>(Cluster cluster, Kind<T> kind) {
  /**
   * What is there.
   *
   * @param what in words, for example "calendar"
   * @param key the record key of a name; throws {@link InvalidIdException}
   * @param mostBytes of a value
   * @param acceptable the value of a record; empty if the scheduler refuses it
   */
  public record Kind<T extends SpecificRecordBase>(
      String what,
      Function<Topics, String> topic,
      Function<String, byte[]> key,
      RecordCodec<T> codec,
      int mostBytes,
      Function<T, List<Problem>> problems,
      BiFunction<byte[], SchemaSource, Optional<T>> acceptable) {}

  /**
   * All of them by name. Like the scheduler, ignores invalid records. If compaction has removed the
   * record that an invalid one replaced, that is missing here.
   */
  public SortedMap<String, T> all() {
    SortedMap<String, T> all = new TreeMap<>();
    cluster
        .reader()
        .each(
            cluster.partitions(topic()),
            record -> {
              String name = Partitions.key(record);
              if (record.value() == null) {
                all.remove(name);
              } else if (isName(name)) {
                kind.acceptable()
                    .apply(record.value(), cluster.schemas())
                    .ifPresent(value -> all.put(name, value));
              }
            });
    return all;
  }

  private String topic() {
    return kind.topic().apply(cluster.topics());
  }

  private boolean isName(String text) {
    try {
      var unused = kind.key().apply(text);
      return true;
    } catch (InvalidIdException e) {
      return false;
    }
  }

  public T existing(String name) {
    return existing(all(), name);
  }

  /**
   * @param all that were read
   */
  public T existing(Map<String, T> all, String name) {
    return Optional.ofNullable(all.get(name))
        .orElseThrow(() -> new Failure("There is no " + kind.what() + " " + name + "."));
  }

  /** Reads and checks the content of a file. */
  public T read(String name, byte[] value) {
    if (value.length > kind.mostBytes()) {
      throw new Failure(name + " was refused: it has more than " + kind.mostBytes() + " bytes.");
    }
    try {
      return valid(name, kind.codec().decode(value));
    } catch (UndecodableException e) {
      throw new Failure(name + " was refused: " + e.getMessage(), e);
    }
  }

  /** The same value, which the scheduler would not refuse. */
  public T valid(String name, T value) {
    List<Problem> problems = kind.problems().apply(value);
    if (!problems.isEmpty()) {
      throw new Failure(name + " was refused: " + Problems.text(problems));
    }
    return value;
  }

  /**
   * Writes the value of a record and waits until the brokers have it.
   *
   * @param value empty for a tombstone
   */
  public RecordMetadata write(String name, Optional<byte[]> value) {
    return RecordWriter.write(
        cluster, new ProducerRecord<>(topic(), key(name), value.orElse(null)));
  }

  public void checkName(String name) {
    var unused = key(name);
  }

  private byte[] key(String name) {
    try {
      return kind.key().apply(name);
    } catch (InvalidIdException e) {
      throw new Failure("The name is invalid: " + e.getMessage() + ".", e);
    }
  }
}
