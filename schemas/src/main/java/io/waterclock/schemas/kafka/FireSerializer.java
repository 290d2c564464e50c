package io.waterclock.schemas.kafka;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;

/** A {@code value.serializer} for fires; see {@link RecordSerializer} for its settings. */
public final class FireSerializer extends RecordSerializer<Fire> {
  public FireSerializer() {
    super(RecordCodecs.fire());
  }
}
