package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.ProgressStore;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What admission asks the applier to do, in order. */
final class EffectsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
  private static final String SCHEDULES = "waterclock.schedules";

  private final TaskContext task =
      TestTask.with(Stores.inMemoryKeyValueStore(ProgressStore.NAME).get());
  private final AdmitDefinition definitions = TestAdmission.definitions(task);
  private long offset;

  /**
   * Records of one key in the order of the topic: hourly, daily, bad (an unknown time zone),
   * garbage, delete; each at second 10, 20, ... of its topic, by a clock that is ahead. {@code
   * old-} is a record that the task has read before, {@code asked-} one that asks for an answer,
   * {@code own-} one that the scheduler wrote to correct the first record, {@code stray-} one that
   * comes from another partition and was written in the year before, {@code fresh-} one from there
   * that was written after all others had been read.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # before        | record        | effects
                          | hourly        | Decided
          hourly          | hourly        | Decided
          hourly          | daily         | Decided
          hourly          | asked-daily   | Decided, Send ANSWERS
          hourly          | delete        | RememberRemoved, Decided
                          | delete        | RememberRemoved, Decided
          hourly          | old-daily     |
          hourly, delete  | old-hourly    |
                          | bad           | Send STATUS
          hourly          | asked-bad     | Send STATUS, Send ANSWERS
          bad             | hourly        | Decided
                          | garbage       | Send DLQ, Send STATUS
                          | stray-hourly  | Send SCHEDULES
          hourly          | stray-hourly  |
          hourly          | stray-delete  |
          hourly, delete  | stray-daily   |
          hourly, delete  | fresh-daily   | Send SCHEDULES
          hourly          | own-delete    | RememberRemoved, Decided
          hourly, daily   | own-delete    | Send SCHEDULES
                          | own-delete    | RememberRemoved
          own-delete      | stray-hourly  |
          own-delete      | fresh-hourly  | Send SCHEDULES
          """)
  void of_a_definition(String before, String record, String expected) {
    for (String earlier : words(before)) {
      task.applier().apply(admit(earlier));
    }
    assertThat(admit(record).stream().map(EffectsTest::text)).isEqualTo(words(expected));
  }

  private List<Effect> admit(String record) {
    boolean isFresh = record.startsWith("fresh-");
    boolean isStray = isFresh || record.startsWith("stray-");
    RecordHeaders headers = new RecordHeaders();
    if (record.startsWith("own-")) {
      headers.add(HeaderNames.ORIGIN, (SCHEDULES + "-0@1").getBytes(UTF_8));
    }
    if (record.startsWith("asked-")) {
      headers.add(HeaderNames.CORRELATION_ID, "7".getBytes(UTF_8));
    }
    offset++;
    Inbound inbound =
        new Inbound(
            Optional.of("a".getBytes(UTF_8)),
            value(record.replaceFirst(".*-", "")),
            headers,
            isFresh
                ? NOW.plusMillis(1)
                : isStray ? NOW.minusSeconds(31_536_000) : NOW.plusSeconds(10 * offset),
            SCHEDULES,
            isStray ? 1 : 0,
            record.startsWith("old-") ? 1 : offset);
    return isStray ? definitions.acceptStray(inbound, NOW) : definitions.accept(inbound, NOW);
  }

  private static Optional<byte[]> value(String record) {
    return switch (record) {
      case "hourly" -> Optional.of("{\"every\":\"1h\"}".getBytes(UTF_8));
      case "daily" -> Optional.of("{\"every\":\"1d\"}".getBytes(UTF_8));
      case "bad" -> Optional.of("{\"every\":\"1h\",\"timezone\":\"Mars\"}".getBytes(UTF_8));
      case "garbage" -> Optional.of(new byte[] {7, 7});
      case "delete" -> Optional.empty();
      default -> throw new IllegalArgumentException(record);
    };
  }

  private static String text(Effect effect) {
    String name = effect.getClass().getSimpleName();
    return effect instanceof Effect.Send send ? name + " " + send.record().sink() : name;
  }

  private static List<String> words(String text) {
    return text == null ? List.of() : Arrays.stream(text.split(", ")).collect(Collectors.toList());
  }
}
