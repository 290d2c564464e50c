package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.fail;

import io.waterclock.schemas.json.ScheduleJson;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.avro.io.BinaryData;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the bytes, reading gives a record or a typed error, within memory that their number
 * bounds. {@code -Dwaterclock.fuzz.rounds=100000} runs more.
 */
class FuzzTest {
  private static final int ROUNDS = Integer.getInteger("waterclock.fuzz.rounds", 500);
  private static final String JSON_BITS = "{}[]\",:0123456789eE.-truefalsn\\u ";

  static Stream<RecordCodec<?>> codecs() {
    return RecordCodecs.all().stream();
  }

  @ParameterizedTest
  @MethodSource("codecs")
  <T extends SpecificRecordBase> void random_bytes(RecordCodec<T> codec) {
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      read(codec, bytes, seed);
      byte[] headed =
          Arrays.copyOf(codec.header(Encoding.AVRO), SingleObject.HEADER + bytes.length);
      System.arraycopy(bytes, 0, headed, SingleObject.HEADER, bytes.length);
      read(codec, headed, seed);
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  <T extends SpecificRecordBase> void mutated_avro(RecordCodec<T> codec) {
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = codec.encode(new RandomRecords(seed).next(codec), WireFormat.AVRO);
      read(codec, mutate(bytes, random, SingleObject.HEADER), seed);
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  <T extends SpecificRecordBase> void huge_lengths_in_avro(RecordCodec<T> codec) {
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = codec.encode(new RandomRecords(seed).next(codec), WireFormat.AVRO);
      int at = random.nextInt(SingleObject.HEADER, bytes.length);
      byte[] huge = Arrays.copyOf(bytes, bytes.length + 20);
      long length = random.nextBoolean() ? random.nextLong() : random.nextLong(1L << 31);
      BinaryData.encodeLong(length, huge, at);
      read(codec, huge, seed);
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  <T extends SpecificRecordBase> void mutated_json(RecordCodec<T> codec) {
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = codec.encode(new RandomRecords(seed).next(codec), WireFormat.JSON);
      for (int i = random.nextInt(4); i >= 0; i--) {
        bytes[random.nextInt(1, bytes.length)] =
            (byte) JSON_BITS.charAt(random.nextInt(JSON_BITS.length()));
      }
      read(codec, random.nextBoolean() ? mutate(bytes, random, 1) : bytes, seed);
    }
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void extreme_numbers(String number) {
    for (String field :
        new String[] {"payload", "max_replay", "priority", "every", "at", "labels"}) {
      byte[] json =
          ("{\"in\":\"1s\",\"" + field + "\":" + number + "}").getBytes(StandardCharsets.UTF_8);
      read(RecordCodecs.schedule(), json, 0);
    }
  }

  static Stream<String> numbers() {
    return Stream.of(
        "1e999999999",
        "1e-999999999",
        "1e99999999999",
        "-0.0",
        "9".repeat(999),
        "9".repeat(5_000),
        "1." + "0".repeat(900),
        "-1e2147483647",
        "NaN",
        "Infinity",
        "0x1",
        "01",
        "\"\\ud800\"");
  }

  private static byte[] mutate(byte[] bytes, SplittableRandom random, int from) {
    byte[] mutated = bytes.clone();
    for (int i = random.nextInt(5); i >= 0; i--) {
      mutated[random.nextInt(from, mutated.length)] = (byte) random.nextInt();
    }
    return random.nextInt(4) == 0
        ? Arrays.copyOf(mutated, random.nextInt(mutated.length))
        : mutated;
  }

  /** Reads in every way there is, and writes what was read. */
  private static <T extends SpecificRecordBase> void read(
      RecordCodec<T> codec, byte[] bytes, long seed) {
    try {
      ScheduleJson.read(bytes, ZoneOffset.UTC);
      try {
        T record = codec.decode(bytes);
        codec.encode(record, WireFormat.AVRO);
        codec.encode(record, WireFormat.JSON);
      } catch (UndecodableException typed) {
        typed.reason();
      }
    } catch (RuntimeException | Error e) {
      fail("seed " + seed + ", bytes " + HexFormat.of().formatHex(bytes), e);
    }
  }
}
