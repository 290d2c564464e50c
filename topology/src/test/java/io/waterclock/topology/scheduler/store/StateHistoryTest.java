package io.waterclock.topology.scheduler.store;

import static io.waterclock.schemas.avro.OutcomeState.FAILED;
import static io.waterclock.schemas.avro.OutcomeState.STARTED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Backfill;
import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.Failing;
import io.waterclock.decide.model.Failures;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.OpenRun;
import io.waterclock.decide.model.OpenRun.Report;
import io.waterclock.decide.model.Past;
import io.waterclock.decide.model.Pause;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.ResumeFire;
import io.waterclock.decide.model.Resumed;
import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.Runs;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.WaitingFires;
import io.waterclock.decide.model.Watch;
import io.waterclock.decide.model.Watches;
import io.waterclock.decide.model.Written;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/**
 * What versions of the software have left in stores, byte by byte, is read for ever: the files
 * {@code v<layout>.tsv} hold rows of store, key and value in hexadecimal.
 *
 * <p>A file never changes once its version is released. A new layout gets a file of its own: {@code
 * mvn -pl topology test -Dtest=StateHistoryTest -Dwaterclock.publishState=true}.
 */
final class StateHistoryTest {
  private static final Path FILES =
      Path.of("src/test/resources/io/waterclock/topology/scheduler/store").toAbsolutePath();

  private static final Optional<String> NO_DISK = Optional.of("no disk");
  private static final Instant MARCH = Instant.parse("2026-03-01T00:00:00Z");
  private static final ScheduleId REPLAYING = ScheduleId.parse("history/replaying");
  private static final ScheduleId PAUSED = ScheduleId.parse("history/paused");
  private static final ScheduleId HELD = ScheduleId.parse("history/held");
  private static final ScheduleId EDITED = ScheduleId.parse("history/edited");
  private static final ScheduleId COMPLETED = ScheduleId.parse("history/completed");
  private static final ScheduleId RUNNING = ScheduleId.parse("history/running");
  private static final ScheduleId GONE = ScheduleId.parse("history/gone");
  private static final String MINUTELY =
      "{\"every\":\"1m\",\"anchor\":\"2026-03-01T00:00:00Z\",\"end_at\":\"2026-03-05T00:00:00Z\","
          + "\"catch_up\":\"replay\",\"timezone\":\"UTC\"";
  private static final List<ScheduleState> STATES =
      List.of(replaying(), paused(), held(), edited(), completed(), running());

  private final Map<String, KeyValueStore<Bytes, byte[]>> stores = new TreeMap<>();
  private final ScheduleStore schedules = new ScheduleStore(store(ScheduleStore.NAME));
  private final CalendarStore calendars = new CalendarStore(store(ProgressStore.NAME));
  private final CommandStore commands = new CommandStore(store(CommandStore.NAME));
  private final HeldRecordStore waitingCommands =
      new HeldRecordStore(store(CommandStore.NAME), HeldRecordStore.Until.SCHEDULE);

  @Test
  void what_layout_1_holds_is_read_as_it_was_meant() throws IOException {
    load("v1.tsv");
    ProgressStore progress = progress();
    StrayStore strays = strays();
    for (ScheduleState state : STATES) {
      StoredSchedule stored = schedules.get(state.id().utf8()).orElseThrow();
      assertThat(stored).isEqualTo(new StoredSchedule(state.current(), state.completedAt()));
      if (!state.isPlain() || state.completedAt().isEmpty()) {
        assertThat(progress.get(state.id(), stored).map(progress::whole)).contains(state);
      }
    }
    assertThat(progress.position()).contains(position());
    assertThat(calendars.all()).isEqualTo(Map.of("holidays", List.of(calendar())));
    assertThat(strays.removed(GONE)).contains(removed());
    assertThat(strays.forgotten()).contains(forgotten());
    assertThat(strays.taken("waterclock.strays")).contains(taken());
    assertThat(commands.get(PAUSED, "c-1")).contains(executed());
    assertThat(waitingCommands.record(3)).isEqualTo(waiting());
    assertThat(commands.forgottenThrough()).isEqualTo(MARCH);
  }

  @Test
  void what_is_written_now_is_what_the_newest_file_holds() throws IOException {
    write();
    Path newest = FILES.resolve("v" + StateCodec.VERSION + ".tsv");
    if (Boolean.getBoolean("waterclock.publishState")) {
      Files.createDirectories(FILES);
      Files.write(newest, rows());
    }
    assertThat(rows())
        .as("a change of layout needs a version of its own: see the comment of this test")
        .isEqualTo(Files.readAllLines(newest));
  }

  private void write() {
    ProgressStore progress = progress();
    StrayStore strays = strays();
    for (ScheduleState state : STATES) {
      schedules.put(state.id().utf8(), new StoredSchedule(state.current(), state.completedAt()));
      if (!state.isPlain()) {
        progress.put(state);
      }
    }
    progress.putPosition(position().position(), position().clockMs());
    calendars.put("holidays", calendar());
    strays.put(GONE, removed());
    strays.put(forgotten());
    strays.put("waterclock.strays", taken());
    commands.put(PAUSED, "c-1", executed());
    waitingCommands.put(new HeldRecordStore.Row(3, waiting()));
    commands.put(MARCH);
  }

  /** Half-way through 5,760 occurrences. */
  private static ScheduleState replaying() {
    Accepted current = accepted(MINUTELY + ",\"max_replay\":10000}", 0);
    return new ScheduleState(
        REPLAYING,
        current,
        Instant.parse("2026-03-03T00:00:00Z"),
        List.of(),
        List.of(),
        Optional.of(Instant.parse("2026-03-04T23:59:00Z")),
        Optional.empty(),
        Optional.empty(),
        CommandState.NONE,
        Runs.NONE);
  }

  /** The fire of an occurrence runs, two before it have failed, and one of them is overdue. */
  private static ScheduleState running() {
    ScheduleState plain =
        ScheduleState.of(
            RUNNING,
            accepted(
                MINUTELY
                    + ",\"overlap\":\"buffer_one\",\"timeout\":\"PT30M\","
                    + "\"pause_after_failures\":3,"
                    + "\"expect\":{\"succeeded_within\":\"30s\",\"succeeded_every\":\"5m\"}}",
                6),
            MARCH.plusSeconds(180),
            Optional.empty());
    Run run =
        new Run(
            MARCH.plusSeconds(180),
            MARCH.plusMillis(180_500),
            MARCH.plusSeconds(181),
            Duration.ofMinutes(30),
            MARCH.plusSeconds(1_999),
            false);
    Failures failures =
        new Failures(
            Optional.of(MARCH),
            List.of(MARCH.plusSeconds(60), MARCH.plusSeconds(120)),
            Optional.of(
                new Failing(
                    MARCH.plusSeconds(120),
                    5,
                    MARCH.plusSeconds(120),
                    MARCH.plusSeconds(121),
                    Optional.of("no disk"))));
    Watch late =
        new Watch(
            Expectation.SUCCEEDED_WITHIN,
            List.of(
                openRun(
                    60, Optional.of(MARCH.plusSeconds(200)), new Report(FAILED, MARCH, NO_DISK)),
                openRun(120, Optional.empty(), new Report(STARTED, MARCH, Optional.empty()))),
            true);
    Watch every =
        new Watch(
            Expectation.SUCCEEDED_EVERY,
            List.of(
                new OpenRun(
                    MARCH,
                    MARCH.plusSeconds(300),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty())),
            false);
    return with(
        plain,
        CommandState.NONE,
        new Runs(Optional.of(run), failures, new Watches(List.of(late, every))));
  }

  private static OpenRun openRun(long seconds, Optional<Instant> metAt, Report report) {
    Instant at = MARCH.plusSeconds(seconds);
    return new OpenRun(
        at, at.plusSeconds(30), Optional.of(at.plusMillis(3)), metAt, Optional.of(report));
  }

  private static ScheduleState paused() {
    CommandState commanded =
        new CommandState(
            Optional.of(
                new Pause(
                    MARCH.plusSeconds(90),
                    new Written(MARCH.plusSeconds(89), "waterclock.commands-0@8"),
                    Optional.of("déploiement"),
                    Optional.of("kim"),
                    true)),
            false,
            Optional.empty(),
            List.of(MARCH.plusSeconds(300)),
            WaitingFires.NONE,
            List.of(
                Backfill.of(
                        "b-1",
                        MARCH,
                        MARCH.plusSeconds(61),
                        new Backfill.Pace(true, OptionalInt.of(2)))
                    .through(
                        MARCH.plusSeconds(60),
                        1,
                        List.of(
                            new Backfill.Going(
                                MARCH.plusSeconds(60),
                                Duration.ofSeconds(30),
                                MARCH.plusSeconds(100))))),
            List.of());
    ScheduleState plain =
        ScheduleState.of(
            PAUSED, accepted(MINUTELY + "}", 1), MARCH.plusSeconds(90), Optional.empty());
    return with(plain, commanded, Runs.NONE);
  }

  /** A resume has ordered one fire for all that its pause held: for the last of three. */
  private static ScheduleState held() {
    CommandState commanded =
        new CommandState(
            Optional.empty(),
            false,
            Optional.of(
                new ResumeFire(
                    MARCH.plusSeconds(120),
                    MARCH.plusSeconds(125),
                    Optional.of(new FirePlan.CollapsedRange(2, true, MARCH)))),
            List.of(),
            WaitingFires.NONE,
            List.of(),
            List.of());
    ScheduleState plain =
        ScheduleState.of(
            HELD, accepted(MINUTELY + "}", 7), MARCH.plusSeconds(60), Optional.empty());
    return with(plain, commanded, Runs.NONE);
  }

  /**
   * Something of all that may be left of revisions and commands, whether it goes together or not.
   */
  private static ScheduleState edited() {
    CommandState commanded =
        new CommandState(
            Optional.empty(),
            true,
            Optional.of(
                new ResumeFire(
                    MARCH.plusSeconds(120),
                    MARCH.plusSeconds(125),
                    Optional.of(new FirePlan.CollapsedRange(2, false, MARCH)))),
            List.of(),
            WaitingFires.of(
                List.of(
                    new ManualFire(0, "t-1", MARCH.plusSeconds(5), Optional.empty()),
                    new ManualFire(
                        1,
                        "t-2",
                        MARCH.plusSeconds(6),
                        Optional.of(ByteBuffer.wrap(new byte[] {9})))),
                accepted(MINUTELY + ",\"enabled\":false}", 4)),
            List.of(),
            List.of());
    CarriedOccurrences carried =
        new CarriedOccurrences(
            0,
            "waterclock.schedules-0@2",
            MARCH,
            new Occurrence(MARCH.plusSeconds(120), MARCH.plusSeconds(121)),
            Optional.of(MARCH.plusSeconds(60)),
            3,
            false,
            true);
    return new ScheduleState(
        EDITED,
        accepted(MINUTELY + ",\"enabled\":false}", 4),
        MARCH.plusSeconds(180),
        List.of(carried),
        List.of(
            new ReplacedRevision(10_000, accepted(MINUTELY + ",\"description\":\"before\"}", 3))),
        Optional.empty(),
        Optional.of("deciding it failed"),
        Optional.empty(),
        commanded,
        Runs.NONE);
  }

  private static ScheduleState completed() {
    return ScheduleState.of(
        COMPLETED,
        accepted("{\"at\":\"2026-03-01T00:00:00Z\",\"timezone\":\"UTC\"}", 5),
        MARCH,
        Optional.of(MARCH.plusSeconds(1)));
  }

  private static ScheduleState with(ScheduleState plain, CommandState commanded, Runs runs) {
    return new ScheduleState(
        plain.id(),
        plain.current(),
        plain.decidedThrough(),
        plain.carried(),
        plain.older(),
        plain.replayThrough(),
        plain.fault(),
        plain.completedAt(),
        commanded,
        runs);
  }

  private static Accepted accepted(String json, int offset) {
    Schedule schedule = RecordCodecs.schedule().decode(json.getBytes(UTF_8));
    return new Accepted(
        ScheduleSnapshot.of(schedule),
        "waterclock.schedules-0@" + offset,
        MARCH.minusSeconds(1),
        MARCH.minusMillis(1),
        offset == 6 ? MARCH.minusSeconds(60) : MARCH.minusMillis(1),
        Optional.of(MARCH),
        Optional.ofNullable(schedule.getEndAt()),
        offset == 5 ? Optional.of(MARCH.plusMillis(2)) : Optional.empty(),
        offset == 4 ? Optional.of(MARCH) : Optional.empty(),
        MARCH.minusSeconds(2),
        offset == 4
            ? new Past(
                Optional.of(new Resumed(new Written(MARCH, "waterclock.commands-0@7"), true)),
                Optional.empty(),
                Optional.empty(),
                Map.of())
            : Past.NONE);
  }

  private static StoredPosition position() {
    return new StoredPosition(
        new Position(MARCH.plusSeconds(90).toEpochMilli(), PAUSED.utf8()),
        MARCH.plusSeconds(91).toEpochMilli());
  }

  private static CalendarStore.Row calendar() {
    return new CalendarStore.Row(
        2,
        new CalendarVersion(
            4,
            MARCH,
            Optional.of(MARCH.plusSeconds(7)),
            Optional.of(
                RecordCodecs.calendar()
                    .decode(
                        "{\"dates\":[\"2026-12-25\"],\"weekdays\":[\"SUN\"]}".getBytes(UTF_8)))));
  }

  private static RemovedSchedule removed() {
    return new RemovedSchedule(
        MARCH,
        MARCH.plusSeconds(1),
        17,
        new EarlierLives(MARCH.minusSeconds(5), Optional.of(MARCH.minusSeconds(7))));
  }

  private static StrayStore.Forgotten forgotten() {
    return new StrayStore.Forgotten(MARCH.minusSeconds(9), MARCH.minusSeconds(8));
  }

  private static StrayStore.Taken taken() {
    return new StrayStore.Taken(41, MARCH);
  }

  private static ExecutedCommand executed() {
    return new ExecutedCommand(Verdict.EXECUTED, 77, MARCH, MARCH.plusSeconds(1));
  }

  /** A command for a schedule that is not there, as it was read. */
  private static byte[] waiting() {
    byte[] key = GONE.utf8();
    byte[] value = "{\"command_id\":\"w-1\",\"trigger\":{}}".getBytes(UTF_8);
    byte[] topic = "waterclock.commands".getBytes(UTF_8);
    return ByteBuffer.allocate(2 + topic.length + 4 + 8 + 8 + 4 + key.length + 4 + value.length + 4)
        .putShort((short) topic.length)
        .put(topic)
        .putInt(0)
        .putLong(11)
        .putLong(MARCH.toEpochMilli())
        .putInt(key.length)
        .put(key)
        .putInt(value.length)
        .put(value)
        .putInt(0)
        .array();
  }

  /** As of now: a store knows at its start whether it has rows. */
  private ProgressStore progress() {
    return new ProgressStore(store(ProgressStore.NAME));
  }

  /** As of now. */
  private StrayStore strays() {
    return new StrayStore(store(ProgressStore.NAME));
  }

  private KeyValueStore<Bytes, byte[]> store(String name) {
    return stores.computeIfAbsent(name, store -> Stores.inMemoryKeyValueStore(store).get());
  }

  private List<String> rows() {
    List<String> rows = new ArrayList<>();
    stores.forEach(
        (name, store) -> {
          try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            while (all.hasNext()) {
              KeyValue<Bytes, byte[]> row = all.next();
              rows.add(name + "\t" + hex(row.key.get()) + "\t" + hex(row.value));
            }
          }
        });
    return rows;
  }

  private void load(String file) throws IOException {
    for (String row : Files.readAllLines(FILES.resolve(file))) {
      List<String> cells = List.of(row.split("\t"));
      store(cells.get(0)).put(Bytes.wrap(bytes(cells.get(1))), bytes(cells.get(2)));
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
