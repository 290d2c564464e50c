package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import java.util.Map;
import org.apache.avro.Schema;

/** What the scheduler writes; what it only moves is written as it was received. */
public final class OutgoingSchemas {
  private OutgoingSchemas() {}

  /** The schema of each topic for which the scheduler makes the records. */
  public static Map<String, Schema> of(Topics topics) {
    return Map.of(
        topics.schedules(), RecordCodecs.schedule().schema(),
        topics.fires(), RecordCodecs.fire().schema(),
        topics.missed(), RecordCodecs.missed().schema(),
        topics.revisions(), RecordCodecs.revision().schema(),
        topics.status(), RecordCodecs.status().schema(),
        topics.answers(), RecordCodecs.answer().schema(),
        topics.watermarks(), RecordCodecs.watermark().schema());
  }
}
