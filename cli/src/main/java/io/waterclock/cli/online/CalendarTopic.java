package io.waterclock.cli.online;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Calendar;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** The calendars as their topic has them. */
final class CalendarTopic {
  private final Cluster cluster;

  CalendarTopic(Cluster cluster) {
    this.cluster = cluster;
  }

  /** All calendars by name. A record that is none is the scheduler's to report. */
  SortedMap<String, Calendar> all() {
    SortedMap<String, Calendar> calendars = new TreeMap<>();
    new TopicReader(cluster)
        .toEnd(cluster.partitions(cluster.topics().calendars()), record -> take(record, calendars));
    return calendars;
  }

  private static boolean take(
      ConsumerRecord<byte[], byte[]> record, SortedMap<String, Calendar> calendars) {
    String name = record.key() == null ? "" : new String(record.key(), UTF_8);
    if (record.value() == null) {
      calendars.remove(name);
      return true;
    }
    try {
      calendars.put(name, RecordCodecs.calendar().decode(record.value()));
    } catch (UndecodableException e) {
      return true; // what the calendar said before stays in force
    }
    return true;
  }

  /** Writes a calendar, or deletes it when {@code value} is empty. */
  RecordMetadata write(CalendarName name, Optional<byte[]> value) {
    return RecordWriter.write(
        cluster,
        new ProducerRecord<>(cluster.topics().calendars(), name.utf8(), value.orElse(null)));
  }
}
