package io.waterclock.it;

import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.Watermark;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;

/**
 * A scheduler's own corner of a broker that several tests share: its topics, its group, its state.
 *
 * @param dir for the state of its instances and what they log
 */
record Tenant(String bootstrapServers, String prefix, Path dir) {

  Topics topics() {
    return new Topics(prefix);
  }

  String applicationId() {
    return prefix + "-scheduler";
  }

  /**
   * The settings of an instance: time-outs as short as a broker in a test takes them, so that a
   * killed instance is soon missed and its transaction soon aborted.
   */
  Map<String, String> settings(String instance, Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("prefix", prefix);
    settings.put("instance", instance);
    settings.put("state.dir", dir.resolve(prefix + "-" + instance).toString());
    settings.put("health.port", "0");
    settings.put("watermark.interval", "500ms");
    settings.put("main.consumer.session.timeout.ms", "1500");
    settings.put("main.consumer.heartbeat.interval.ms", "300");
    settings.put("producer.transaction.timeout.ms", "2000");
    settings.putAll(more);
    return settings;
  }

  WaterclockConfig config(Map<String, String> more) {
    return WaterclockConfig.parse(settings("one", more));
  }

  /** Has a scheduler in this JVM create the topics and changelogs, and ends it in order. */
  void createTopics(Map<String, String> settings) {
    try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings))) {
      await().atMost(Duration.ofMinutes(4)).until(scheduler::isReady);
    }
  }

  Producing schedules() {
    return new Producing(bootstrapServers, topics().schedules());
  }

  Producing commands() {
    return new Producing(bootstrapServers, topics().commands());
  }

  Producing outcomes() {
    return new Producing(bootstrapServers, topics().outcomes());
  }

  Admin admin() {
    return Admin.create(client());
  }

  Map<String, Object> client() {
    return Map.of("bootstrap.servers", bootstrapServers);
  }

  TopicReader<Fire> fires() {
    return new TopicReader<>(
        bootstrapServers, topics().fires(), bytes -> RecordCodecs.fire().decode(bytes));
  }

  TopicReader<Missed> missed() {
    return new TopicReader<>(
        bootstrapServers, topics().missed(), bytes -> RecordCodecs.missed().decode(bytes));
  }

  TopicReader<Revision> revisions() {
    return new TopicReader<>(
        bootstrapServers, topics().revisions(), bytes -> RecordCodecs.revision().decode(bytes));
  }

  TopicReader<ScheduleStatus> status() {
    return new TopicReader<>(
        bootstrapServers, topics().status(), bytes -> RecordCodecs.status().decode(bytes));
  }

  TopicReader<Answer> answers() {
    return new TopicReader<>(
        bootstrapServers, topics().answers(), bytes -> RecordCodecs.answer().decode(bytes));
  }

  TopicReader<Watermark> watermarks() {
    return new TopicReader<>(
        bootstrapServers, topics().watermarks(), bytes -> RecordCodecs.watermark().decode(bytes));
  }

  TopicReader<byte[]> deadLetters() {
    return new TopicReader<>(bootstrapServers, topics().dlq(), bytes -> bytes);
  }
}
