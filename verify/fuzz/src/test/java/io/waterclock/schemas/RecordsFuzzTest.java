package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Records as they arrive, in the formats that need no registry. A value that is no such record is
 * an {@link UndecodableException}. What is read is written and read again as the same record, in
 * Avro always. JSON refuses some values that Avro can hold, such as a negative duration, but never
 * reads another record.
 */
final class RecordsFuzzTest {
  private static final String WORDS = "/io/waterclock/fuzz/json.dict";
  private static final List<RecordCodec<?>> OUTPUTS =
      List.of(
          RecordCodecs.fire(),
          RecordCodecs.missed(),
          RecordCodecs.revision(),
          RecordCodecs.status(),
          RecordCodecs.answer(),
          RecordCodecs.watermark());
  private static final List<RecordCodec<?>> PARTS =
      List.of(
          RecordCodecs.exportedState(), RecordCodecs.exportedRange(), RecordCodecs.orderedFire());

  @FuzzTest
  @DictionaryFile(resourcePath = WORDS)
  void command(byte @NotNull [] value) throws Exception {
    check(RecordCodecs.command(), value);
  }

  @FuzzTest
  @DictionaryFile(resourcePath = WORDS)
  void outcome(byte @NotNull [] value) throws Exception {
    check(RecordCodecs.outcome(), value);
  }

  @FuzzTest
  @DictionaryFile(resourcePath = WORDS)
  void calendar(byte @NotNull [] value) throws Exception {
    check(RecordCodecs.calendar(), value);
  }

  /** As clients, the console and the audit read them: the same bytes go to each. */
  @FuzzTest
  @DictionaryFile(resourcePath = WORDS)
  void outputs(byte @NotNull [] value) throws Exception {
    for (RecordCodec<?> codec : OUTPUTS) {
      check(codec, value);
    }
  }

  /** What exports and state stores hold. */
  @FuzzTest
  @DictionaryFile(resourcePath = WORDS)
  void exported(byte @NotNull [] value) throws Exception {
    for (RecordCodec<?> codec : PARTS) {
      check(codec, value);
    }
  }

  private static <T extends SpecificRecordBase> void check(RecordCodec<T> codec, byte[] value)
      throws Exception {
    Optional<T> read = read(codec, value);
    if (read.isEmpty()) {
      return;
    }
    byte[] avro = codec.encode(read.get(), WireFormat.AVRO);
    assertThat(codec.decode(avro)).isEqualTo(read.get());
    assertThat(codec.encode(codec.decode(avro), WireFormat.AVRO)).isEqualTo(avro);
    byte[] json = codec.encode(read.get(), WireFormat.JSON);
    Optional<T> again = read(codec, json);
    if (WireFormat.detect(value).orElseThrow() == WireFormat.JSON) {
      assertThat(again).as("what JSON gave, JSON writes").isPresent();
    }
    again.ifPresent(
        record -> {
          assertThat(codec.encode(record, WireFormat.AVRO)).isEqualTo(avro);
          assertThat(codec.encode(record, WireFormat.JSON)).isEqualTo(json);
        });
  }

  private static <T extends SpecificRecordBase> Optional<T> read(RecordCodec<T> codec, byte[] value)
      throws Exception {
    try {
      return Optional.of(Claims.bounded(value.length, () -> codec.decode(value)));
    } catch (UndecodableException e) {
      Claims.rejectedInOneLine(e);
      assertThat(e.getMessage()).startsWith(codec.schema().getName() + " cannot be read: ");
      return Optional.empty();
    }
  }
}
