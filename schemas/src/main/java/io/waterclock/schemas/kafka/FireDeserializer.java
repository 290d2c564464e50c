package io.waterclock.schemas.kafka;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;

/** A {@code value.deserializer} for fires in every format. */
public final class FireDeserializer extends RecordDeserializer<Fire> {
  public FireDeserializer() {
    super(RecordCodecs.fire());
  }
}
