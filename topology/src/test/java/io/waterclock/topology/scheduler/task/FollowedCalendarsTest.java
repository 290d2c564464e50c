package io.waterclock.topology.scheduler.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.decide.Decider;
import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Event;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Dates;
import io.waterclock.topology.scheduler.admit.CalendarFeed;
import io.waterclock.topology.scheduler.admit.CalendarReader;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.store.CalendarStore;
import io.waterclock.topology.scheduler.store.Position;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** Which versions of a calendar a task keeps, and when each takes effect. */
class FollowedCalendarsTest {
  private static final Instant T0 = Instant.parse("2026-12-07T12:00:00Z");
  private final KeyValueStore<Bytes, byte[]> store =
      counted(Stores.inMemoryKeyValueStore(ProgressStore.NAME).get());
  private int reads;
  private long offset;
  private MockProcessorContext<byte[], Object> sent = new MockProcessorContext<>();
  private CalendarFeed feed = new CalendarFeed();
  private TaskContext task = task();
  private FollowedCalendars calendars = begin(false);

  /** Counts the values that are read one by one. */
  @SuppressWarnings("unchecked") // of the interface that it is made of
  private KeyValueStore<Bytes, byte[]> counted(KeyValueStore<Bytes, byte[]> of) {
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              reads += method.getName().equals("get") ? 1 : 0;
              return method.invoke(of, arguments);
            });
  }

  private TaskContext task() {
    return TestTask.with(
        store,
        Stores.inMemoryKeyValueStore(ScheduleStore.NAME).get(),
        sent,
        Wire.of(WireFormat.AVRO),
        RecordDeaths.none());
  }

  private FollowedCalendars begin(boolean tombstonesMayBeGone) {
    TickBudget budget =
        new TickBudget.OfThread(task.settings().pace().tickBudget(), System::nanoTime)
            .join(task.encoder().tables().effort());
    QueueLoader loader = new QueueLoader(task, budget, id -> {}, Instant.EPOCH);
    FollowedCalendars calendars = new FollowedCalendars(task, feed, budget, loader);
    if (tombstonesMayBeGone) {
      calendars.tombstonesMayBeGone();
    }
    return calendars;
  }

  /** Another process takes the task over; its feed has read the topic again. */
  private void restart(boolean tombstonesMayBeGone) {
    sent = new MockProcessorContext<>();
    feed = new CalendarFeed();
    task = task();
    calendars = begin(tombstonesMayBeGone);
  }

  private void wrote(long offset, Instant at, Optional<Calendar> calendar) {
    feed.changed("c", new CalendarFeed.Change(offset, at, calendar));
  }

  private void wroteBad(long offset, Instant at) {
    MockProcessorContext<Void, Void> topic = new MockProcessorContext<>();
    topic.setRecordMetadata(task.settings().channels().topics().calendars(), 0, offset);
    CalendarReader reader =
        new CalendarReader(
            feed,
            task.settings().channels().wire().schemas(),
            task.application().incoming().rejections());
    reader.init(topic);
    byte[] bad = "{\"dates\":[\"never\"]}".getBytes(UTF_8);
    reader.process(new Record<>("c".getBytes(UTF_8), bad, at.toEpochMilli()));
  }

  /** The offsets of the records in the dead-letter queue that this process has sent. */
  private List<Long> deadLetters() {
    return sent.forwarded().stream()
        .map(forward -> forward.record().headers().lastHeader(HeaderNames.ORIGIN_OFFSET).value())
        .map(offset -> Long.parseLong(new String(offset, UTF_8)))
        .toList();
  }

  private static Optional<Calendar> on(String dates) {
    return Optional.of(Calendar.newBuilder().setDates(List.of(Dates.parse(dates))).build());
  }

  private List<CalendarVersion> stored() {
    return new CalendarStore(store)
        .all().getOrDefault("c", List.of()).stream().map(CalendarStore.Row::version).toList();
  }

  @Test
  void the_first_version_counts_for_all_and_each_change_from_when_it_was_made() {
    wrote(0, T0, on("2026-12-08"));
    wrote(1, T0.plusSeconds(5), on("2026-12-09"));
    calendars.follow(T0.plusSeconds(60));
    assertThat(stored())
        .extracting(CalendarVersion::effectiveAt)
        .containsExactly(Optional.empty(), Optional.of(T0.plusSeconds(5)));
  }

  @Test
  void a_change_counts_from_no_instant_that_is_decided_or_still_to_come() {
    wrote(0, T0, on("2026-12-08"));
    calendars.follow(T0);
    task.partition().placement().advance(Position.throughAllAt(T0.plusSeconds(30).toEpochMilli()));
    wrote(1, T0.plusSeconds(5), on("2026-12-09"));
    calendars.follow(T0.plusSeconds(31));
    wrote(2, T0.plusSeconds(900), on("2026-12-10"));
    calendars.follow(T0.plusSeconds(40));
    assertThat(stored())
        .extracting(CalendarVersion::effectiveAt)
        .containsExactly(
            Optional.empty(), Optional.of(T0.plusSeconds(30)), Optional.of(T0.plusSeconds(40)));
  }

  @Test
  void what_is_written_again_unchanged_or_read_again_is_no_change() {
    wrote(0, T0, on("2026-12-08"));
    wrote(1, T0.plusSeconds(5), on("2026-12-08"));
    calendars.follow(T0.plusSeconds(6));
    wrote(2, T0.plusSeconds(7), on("2026-12-09"));
    calendars.follow(T0.plusSeconds(8));
    List<CalendarVersion> before = stored();
    restart(false);
    wrote(0, T0, on("2026-12-08"));
    wrote(2, T0.plusSeconds(7), on("2026-12-09"));
    calendars.follow(T0.plusSeconds(9));
    assertThat(stored()).isEqualTo(before).hasSize(2);
  }

  @Test
  void in_a_topic_that_was_made_anew_the_time_tells_what_is_newer() {
    wrote(7, T0, on("2026-12-08"));
    calendars.follow(T0);
    restart(false);
    wrote(0, T0.plusSeconds(60), on("2026-12-09"));
    calendars.follow(T0.plusSeconds(90));
    assertThat(stored()).hasSize(2);
  }

  @Test
  void a_calendar_that_is_gone_was_deleted_only_where_its_tombstone_may_be_gone_too() {
    wrote(0, T0, on("2026-12-08"));
    calendars.follow(T0);
    restart(false);
    calendars.follow(T0.plusSeconds(60));
    assertThat(names(T0.plusSeconds(60))).containsExactly("c");
    restart(true);
    Instant late = T0.plus(Duration.ofDays(8));
    calendars.follow(late);
    assertThat(names(late)).isEmpty();
    assertThat(stored())
        .hasSize(2)
        .last()
        .extracting(CalendarVersion::calendar)
        .isEqualTo(Optional.empty());
  }

  private Set<String> names(Instant at) {
    return task.encoder().tables().calendars().names(at, at);
  }

  @Test
  void a_calendar_of_which_the_topic_has_only_a_refused_record_stays_in_force() {
    wrote(0, T0, on("2026-12-08"));
    calendars.follow(T0);
    restart(true);
    wroteBad(1, T0.plusSeconds(60));
    Instant late = T0.plus(Duration.ofDays(8));
    calendars.follow(late);
    assertThat(names(late)).containsExactly("c");
    assertThat(stored()).hasSize(1);
    assertThat(deadLetters()).containsExactly(1L);
  }

  @Test
  void a_calendar_exists_from_its_first_version_on_until_it_is_deleted() {
    calendars.follow(T0);
    wrote(0, T0.plusSeconds(10), on("2026-12-08"));
    wrote(1, T0.plusSeconds(20), on("2026-12-09"));
    wrote(2, T0.plusSeconds(30), Optional.empty());
    wrote(3, T0.plusSeconds(40), on("2026-12-08"));
    calendars.follow(T0.plusSeconds(60));
    assertThat(namedIn(9, 10, 29, 30, 39, 40, 99)).containsExactly(10, 29, 40, 99);
    restart(false);
    assertThat(namedIn(9, 10, 29, 30, 39, 40, 99)).containsExactly(10, 29, 40, 99);
    assertThat(task.encoder().tables().calendars().names(T0, T0.plusSeconds(10)))
        .containsExactly("c");
    assertThat(task.encoder().tables().calendars().names(T0.plusSeconds(29), T0.plusSeconds(30)))
        .containsExactly("c");
  }

  @Test
  void a_calendar_that_a_task_without_state_finds_may_have_existed_always() {
    wrote(0, T0.plusSeconds(10), on("2026-12-08"));
    calendars.follow(T0.plusSeconds(60));
    assertThat(namedIn(-1_000_000, 10)).containsExactly(-1_000_000, 10);
  }

  /** The seconds after T0 at which the calendar exists, of those that are given. */
  private List<Integer> namedIn(Integer... seconds) {
    return Stream.of(seconds).filter(at -> names(T0.plusSeconds(at)).contains("c")).toList();
  }

  @Test
  void a_record_costs_nothing_for_the_calendars_that_it_does_not_change() {
    for (int i = 0; i < 40; i++) {
      put("c" + i, on("2026-12-08"));
    }
    reads = 0;
    for (int i = 0; i < 40 * 34; i++) {
      put("c" + i % 40, on("2026-12-08"));
    }
    assertThat(reads).as("of versions, when all are written again unchanged").isZero();
    put("c0", on("2026-12-09"));
    assertThat(reads).as("of versions, for one that changed").isLessThanOrEqualTo(3);
  }

  @Test
  void a_task_that_begins_decodes_no_version_and_compares_one_for_each_calendar() {
    for (int i = 0; i < 200; i++) {
      put("c" + i % 2, on(LocalDate.ofEpochDay(20_000 + i).toString()));
    }
    CalendarFeed same = feed;
    restart(false);
    feed = same;
    calendars = begin(false);
    reads = 0;
    calendars.follow(T0.plusSeconds(1_000));
    assertThat(reads).isLessThanOrEqualTo(2);
  }

  private void put(String name, Optional<Calendar> calendar) {
    Instant at = T0.plusMillis(++offset);
    feed.changed(name, new CalendarFeed.Change(offset, at, calendar));
    calendars.follow(at);
  }

  @Test
  void the_calendars_that_were_deleted_first_are_forgotten() {
    for (int i = 0; i <= FollowedCalendars.MAX_DELETED; i++) {
      put("c" + i, on("2026-12-08"));
      put("c" + i, Optional.empty());
    }
    assertThat(new CalendarStore(store).known())
        .hasSize(FollowedCalendars.MAX_DELETED)
        .doesNotContainKey("c0");
  }

  @Test
  void a_version_is_forgotten_when_nothing_can_be_judged_by_it_any_more() {
    wrote(0, T0, on("2026-12-08"));
    wrote(1, T0.plusSeconds(5), on("2026-12-09"));
    calendars.follow(T0.plusSeconds(6));
    Instant later = T0.plusSeconds(6).plus(FollowedCalendars.KEPT);
    task.partition().placement().advance(Position.throughAllAt(later.toEpochMilli()));
    wrote(2, later, on("2026-12-10"));
    calendars.follow(later);
    assertThat(stored()).extracting(CalendarVersion::offset).containsExactly(1L, 2L);
  }

  @Test
  void of_a_hundred_versions_no_more_than_the_newest_stays_in_memory() {
    List<WeakReference<Calendar>> written = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Optional<Calendar> calendar = on(LocalDate.ofEpochDay(20_000 + i).toString());
      written.add(new WeakReference<>(calendar.orElseThrow()));
      wrote(i, T0.plusSeconds(i), calendar);
      calendars.follow(T0.plusSeconds(i));
    }
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              System.gc();
              return written.stream().allMatch(reference -> reference.refersTo(null));
            });
    assertThat(stored()).hasSize(100);
  }

  @Test
  void what_is_undecided_is_judged_by_the_version_of_its_own_time_as_often_as_it_is_asked() {
    wrote(0, T0, on("2026-12-08"));
    wrote(1, T0.plus(Duration.ofDays(2)), on("2026-12-10"));
    wrote(2, T0.plus(Duration.ofDays(4)), on("2026-12-12"));
    Instant now = T0.plus(Duration.ofDays(5));
    calendars.follow(now);
    restart(false);
    for (int i = 0; i < 2; i++) {
      assertThat(replayed(now))
          .containsExactly(
              Instant.parse("2026-12-09T09:00:00Z"), Instant.parse("2026-12-11T09:00:00Z"));
    }
  }

  /** What a schedule of each day at nine fires that was defined at the beginning. */
  private List<Instant> replayed(Instant now) {
    Schedule daily =
        Schedule.newBuilder()
            .setTrigger(CronTrigger.newBuilder().setExpression("0 9 * * *").build())
            .setTimezone("UTC")
            .setCatchUp(CatchUp.REPLAY)
            .setExcept(List.of("c"))
            .build();
    Decider decider = new Decider(task.encoder().tables(), Duration.ofHours(1));
    ScheduleId id = ScheduleId.parse("a");
    Decision decision = decider.decide(id, Optional.empty(), new Event.Defined(daily, "r", T0), T0);
    List<Instant> fired = new ArrayList<>();
    while (decision.next().filter(next -> !next.due().isAfter(now)).isPresent()) {
      decision = decider.decide(id, decision.state(), new Event.Due(), now);
      decision.fires().forEach(fire -> fired.add(fire.occurrence().at()));
    }
    return fired;
  }

  @Test
  void each_calendar_that_is_refused_is_one_dead_letter_however_many_come_at_once() {
    for (int offset = 0; offset < 150; offset++) {
      wroteBad(offset, T0);
    }
    calendars.follow(T0);
    wroteBad(150, T0);
    calendars.follow(T0);
    assertThat(deadLetters()).isEqualTo(LongStream.rangeClosed(0, 150).boxed().toList());
    restart(false);
    wroteBad(149, T0);
    wroteBad(150, T0);
    calendars.follow(T0.plusSeconds(1));
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void a_calendar_that_is_refused_in_a_topic_that_was_made_anew_is_a_dead_letter() {
    wroteBad(7, T0);
    calendars.follow(T0);
    restart(false);
    wroteBad(0, T0.plusSeconds(60));
    wroteBad(1, T0.plusSeconds(30));
    calendars.follow(T0.plusSeconds(90));
    assertThat(deadLetters()).containsExactly(0L, 1L);
    restart(false);
    wroteBad(0, T0.plusSeconds(60));
    wroteBad(1, T0.plusSeconds(30));
    calendars.follow(T0.plusSeconds(95));
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void without_news_nothing_is_done() {
    wrote(0, T0, on("2026-12-08"));
    calendars.follow(T0);
    var before = task.encoder().tables().calendars();
    calendars.follow(T0.plusSeconds(1));
    assertThat(task.encoder().tables().calendars()).isSameAs(before);
    assertThat(calendars.settle(T0)).isTrue();
  }
}
