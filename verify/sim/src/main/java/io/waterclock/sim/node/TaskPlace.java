package io.waterclock.sim.node;

import io.waterclock.sim.broker.Place;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Where a record comes from, as a processor sees it. */
record TaskPlace(Place place, long offset) implements RecordMetadata {
  @Override
  public String topic() {
    return place.topic();
  }

  @Override
  public int partition() {
    return place.partition();
  }
}
