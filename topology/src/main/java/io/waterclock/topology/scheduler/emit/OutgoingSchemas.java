package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import java.util.Map;
import org.apache.avro.Schema;

/** The schemas of the scheduler's own records; moved records stay as received. */
public final class OutgoingSchemas {
  private OutgoingSchemas() {}

  /** The schema of each topic with records that the scheduler creates. */
  public static Map<String, Schema> of(Topics topics) {
    return Map.of(
        topics.schedules(), RecordCodecs.schedule().schema(),
        topics.fires(), RecordCodecs.fire().schema(),
        topics.missed(), RecordCodecs.missed().schema(),
        topics.alerts(), RecordCodecs.alert().schema(),
        topics.revisions(), RecordCodecs.revision().schema(),
        topics.status(), RecordCodecs.status().schema(),
        topics.answers(), RecordCodecs.answer().schema(),
        topics.watermarks(), RecordCodecs.watermark().schema());
  }
}
