package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodecs;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.Test;

final class StateLayoutTest {

  /**
   * State values hold definitions as bare Avro bodies, without their schema. When the schema of
   * Schedule changes, a new layout version has to say so, and the old one has to be read with the
   * old schema.
   */
  @Test
  void a_layout_version_belongs_to_one_schema_of_the_definition() {
    assertThat(StateCodec.VERSION).isEqualTo((byte) 2);
    assertThat(SchemaNormalization.parsingFingerprint64(RecordCodecs.schedule().schema()))
        .isEqualTo(-2869824614269121462L);
  }
}
