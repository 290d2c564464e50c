package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.Test;

final class StateLayoutTest {

  /**
   * State values hold bare Avro bodies, without their schema. When one of these schemas changes, a
   * new layout version has to say so, and the old one has to be read with the old schema. A symbol
   * at the end of an enum changes the fingerprint alone: earlier bytes read as before.
   */
  @Test
  void a_layout_version_belongs_to_one_schema_of_each_record() {
    assertThat(StateCodec.VERSION).isEqualTo((byte) 1);
    assertThat(fingerprint(RecordCodecs.schedule())).isEqualTo(4259827787826713148L);
    assertThat(fingerprint(RecordCodecs.exportedState())).isEqualTo(7516694566532099207L);
    assertThat(fingerprint(RecordCodecs.exportedRange())).isEqualTo(-4267822958366720103L);
    assertThat(fingerprint(RecordCodecs.orderedFire())).isEqualTo(-6011000002521121903L);
  }

  private static long fingerprint(RecordCodec<?> codec) {
    return SchemaNormalization.parsingFingerprint64(codec.schema());
  }
}
