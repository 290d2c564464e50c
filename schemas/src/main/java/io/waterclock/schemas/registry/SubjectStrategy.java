package io.waterclock.schemas.registry;

import java.util.Arrays;
import java.util.Optional;
import org.apache.avro.Schema;

/** Under which subject a schema is registered. */
public enum SubjectStrategy {
  /** Of the topic: {@code orders-value}. */
  TOPIC_NAME("TopicNameStrategy"),
  /** Of the record: {@code io.waterclock.schemas.avro.Fire}. */
  RECORD_NAME("RecordNameStrategy"),
  /** Of both, with a hyphen between them. */
  TOPIC_RECORD_NAME("TopicRecordNameStrategy");

  private static final String PACKAGE = "io.confluent.kafka.serializers.subject.";

  private final String name;

  SubjectStrategy(String name) {
    this.name = name;
  }

  String subject(String topic, Schema schema) {
    return switch (this) {
      case TOPIC_NAME -> topic + "-value";
      case RECORD_NAME -> schema.getFullName();
      case TOPIC_RECORD_NAME -> topic + "-" + schema.getFullName();
    };
  }

  /**
   * Reads the name of Confluent's class, with or without its package and "Strategy": {@code
   * RecordName}.
   */
  static Optional<SubjectStrategy> parse(String text) {
    String bare = text.startsWith(PACKAGE) ? text.substring(PACKAGE.length()) : text;
    return Arrays.stream(values())
        .filter(each -> bare.equals(each.name) || (bare + "Strategy").equals(each.name))
        .findFirst();
  }
}
