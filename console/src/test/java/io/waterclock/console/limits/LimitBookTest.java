package io.waterclock.console.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitPause;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LimitBookTest {
  private static final Instant NOW = Instant.parse("2026-11-30T02:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private final LimitBook book = new LimitBook(10_000_000);

  private static FireKey key(String schedule, Instant occurrence) {
    return FireKey.of(new ScheduleId(schedule), occurrence);
  }

  private static Fire fire(FireKey key, Instant next) {
    return Fire.newBuilder()
        .setFireId("f")
        .setScheduleId(key.schedule().value())
        .setOccurrence(key.occurrence())
        .setDue(key.occurrence())
        .setFiredAt(key.occurrence())
        .setCause(Cause.SCHEDULED)
        .setRevision("r@1")
        .setNext(next)
        .setSchedule(
            RecordCodecs.schedule().decode("{\"every\":\"1h\",\"limit\":\"etl\"}".getBytes(UTF_8)))
        .build();
  }

  private static Optional<LimitName> named(String limit) {
    return Optional.of(new LimitName(limit));
  }

  private static void waits(LimitBook book, String limit, FireKey key, Instant at) {
    book.note(
        named(limit),
        new WaitingNote.Fire(
            0,
            key.occurrence().toEpochMilli(),
            new WaitingNote.Terms(Optional.empty(), Optional.of(HOUR), WaitingNote.Role.OCCURRENCE),
            Optional.empty()),
        key.text(),
        Optional.of(fire(key, key.occurrence().plus(HOUR))),
        at);
  }

  private static void ended(LimitBook book, String limit, FireKey key, Instant at) {
    book.note(named(limit), new WaitingNote.Ended(), key.text(), Optional.empty(), at);
  }

  private LimitRow row(String name) {
    return book.rows(Map.of(), NOW).stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_fire_waits_runs_and_ends() {
    book.limit(new LimitName("etl"), Optional.of(Limit.newBuilder().setMaxRunning(4).build()), NOW);
    FireKey one = key("a", NOW);
    waits(book, "etl", one, NOW);
    assertThat(row("etl").waiting()).isEqualTo(1);
    assertThat(row("etl").oldest()).contains(new LimitRow.Oldest("a", NOW));
    assertThat(row("etl").text()).isEqualTo("4 at a time");
    book.started("etl", one, NOW.plusSeconds(1));
    assertThat(row("etl").waiting()).isZero();
    assertThat(row("etl").running()).isEqualTo(1);
    assertThat(row("etl").startsInMinute()).isEqualTo(1);
    ended(book, "etl", one, NOW.plusSeconds(2));
    assertThat(row("etl").running()).isZero();
  }

  /** As in the limiter, its place is free. */
  @Test
  void a_run_ends_whatever_limit_its_schedule_has_by_then() {
    waits(book, "etl", key("a", NOW), NOW);
    book.started("etl", key("a", NOW), NOW);
    ended(book, "other", key("a", NOW), NOW);
    assertThat(book.rows(Map.of(), NOW)).isEmpty();
  }

  @Test
  void a_run_without_a_report_counts_until_its_time_is_up() {
    waits(book, "etl", key("a", NOW), NOW.minus(HOUR));
    book.started("etl", key("a", NOW), NOW.minus(HOUR).plusMillis(1));
    assertThat(row("etl").running()).isEqualTo(1);
    assertThat(book.rows(Map.of(), NOW.plusMillis(1))).isEmpty();
  }

  @Test
  void a_run_that_its_worker_begins_later_counts_for_its_time_from_then_on() {
    waits(book, "etl", key("a", NOW), NOW);
    book.started("etl", key("a", NOW), NOW);
    Instant begun = NOW.plusSeconds(60);
    book.note(
        named("etl"), new WaitingNote.Begun(begun), key("a", NOW).text(), Optional.empty(), begun);
    assertThat(book.rows(Map.of(), NOW.plus(HOUR)))
        .extracting(LimitRow::running)
        .containsExactly(1L);
    assertThat(book.rows(Map.of(), begun.plus(HOUR))).isEmpty();
  }

  @Test
  void an_end_that_names_no_limit_ends_the_run_in_any() {
    waits(book, "etl", key("a", NOW), NOW);
    book.started("etl", key("a", NOW), NOW);
    book.note(
        Optional.empty(), new WaitingNote.Ended(), key("a", NOW).text(), Optional.empty(), NOW);
    assertThat(book.rows(Map.of(), NOW)).isEmpty();
  }

  @Test
  void a_start_that_is_read_before_its_note_does_not_wait_and_runs() {
    book.started("etl", key("a", NOW), NOW);
    waits(book, "etl", key("a", NOW), NOW.plusSeconds(1)); // another clock
    assertThat(row("etl").waiting()).isZero();
    assertThat(row("etl").running()).isEqualTo(1);
  }

  @Test
  void a_backfill_of_the_same_occurrence_waits_again() {
    waits(book, "etl", key("a", NOW), NOW.minus(HOUR));
    book.started("etl", key("a", NOW), NOW.minus(HOUR));
    ended(book, "etl", key("a", NOW), NOW.minusSeconds(60));
    waits(book, "etl", key("a", NOW), NOW);
    assertThat(row("etl").waiting()).isEqualTo(1);
  }

  @Test
  void withdrawn_and_moved_fires_leave_their_limit_alone() {
    waits(book, "etl", key("a", NOW), NOW);
    waits(book, "etl", key("b", NOW), NOW);
    book.note(
        named("etl"), new WaitingNote.Withdrawn(MissedReason.DELETED), "a", Optional.empty(), NOW);
    assertThat(row("etl").waiting()).isEqualTo(1);
    // the partition of the other limit may be read first
    waits(book, "other", key("b", NOW), NOW.plusMillis(5));
    book.note(
        named("etl"),
        new WaitingNote.Moved(Optional.of(new LimitName("other"))),
        "b",
        Optional.empty(),
        NOW.plusMillis(4));
    assertThat(book.rows(Map.of(), NOW)).extracting(LimitRow::name).containsExactly("other");
    assertThat(row("other").waiting()).isEqualTo(1);
  }

  @Test
  void what_is_late_has_occurred_again() {
    book.limit(
        new LimitName("etl"),
        Optional.of(
            Limit.newBuilder().setPaused(new LimitPause("their release", "ann", null)).build()),
        NOW);
    waits(book, "etl", key("late", NOW.minus(HOUR)), NOW.minus(HOUR));
    waits(book, "etl", key("in-time", NOW.minus(HOUR).plusMillis(1)), NOW.minus(HOUR));
    assertThat(book.late(NOW)).containsOnlyKeys("late");
    LimitBook.OldestWait wait = book.late(NOW).get("late");
    assertThat(LimitText.waiting(java.util.Objects.requireNonNull(wait), book, NOW))
        .isEqualTo(
            "Its fire of 2026-11-30T01:00:00Z waits for the limit etl, although it has occurred"
                + " again at 2026-11-30T02:00:00Z. The limit is paused by ann: their release.");
  }

  private void paused(String author, @Nullable Instant until, Instant at) {
    LimitPause pause = new LimitPause(null, author, until);
    book.limit(new LimitName("etl"), Optional.of(Limit.newBuilder().setPaused(pause).build()), at);
  }

  @Test
  void a_pause_after_one_that_ended_by_itself_has_a_beginning_of_its_own() {
    Instant friday = NOW.minus(HOUR);
    paused("ann", friday.minus(Duration.ofDays(4)).plus(HOUR), friday.minus(Duration.ofDays(4)));
    paused("bob", null, friday);
    assertThat(book.pause("etl", NOW))
        .contains(
            new LimitRow.Pause(Optional.of("bob"), Optional.empty(), friday, Optional.empty()));
    paused("bob", NOW.plus(HOUR), NOW);
    assertThat(book.pause("etl", NOW).orElseThrow().since())
        .as("it lasts longer")
        .isEqualTo(friday);
  }

  @Test
  void a_name_without_a_limit_is_a_row_where_schedules_use_it() {
    assertThat(book.rows(Map.of("missing", 3L), NOW))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.isDefined()).isFalse();
              assertThat(row.schedules()).isEqualTo(3);
            });
  }

  /** A partner without reports fills the memory; the import that waits for days keeps its place. */
  @Test
  void the_group_with_the_most_gives_way_when_memory_ends() {
    LimitBook small = new LimitBook(100_000);
    for (int i = 0; i < 40; i++) {
      waits(small, "etl", key("import/" + i, NOW.minus(HOUR)), NOW.minus(HOUR));
    }
    for (int i = 0; i < 3_000; i++) {
      waits(small, "partner", key("call", NOW.plusMillis(i)), NOW.plusMillis(i));
    }
    List<LimitRow> rows = small.rows(Map.of(), NOW);
    assertThat(rows.get(0).waiting()).isEqualTo(40);
    assertThat(rows.get(0).isCut()).isFalse();
    assertThat(rows.get(1).isCut()).isTrue();
    assertThat(rows.get(1).waiting()).isBetween(20L, 500L);
    for (int i = 0; i < 3_000; i++) {
      small.started("partner", key("call", NOW.plusMillis(i)), NOW.plusMillis(i));
    }
    assertThat(small.rows(Map.of(), NOW).get(1).waiting()).isZero();
    assertThat(small.rows(Map.of(), NOW).get(0).waiting()).isEqualTo(40);
  }

  /** A record, as one of the two topics has it. */
  private interface Read {
    void into(LimitBook book);
  }

  /**
   * Whatever of the two topics is read first, and by whatever steps, the end is the same: what a
   * history without readers knows.
   */
  @Test
  void the_order_between_the_topics_does_not_matter() {
    for (int seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Read> notes = new ArrayList<>();
      List<Read> fires = new ArrayList<>();
      Map<String, Set<FireKey>> waiting = new HashMap<>();
      Set<FireKey> running = new HashSet<>();
      for (int step = 0; step < 60; step++) {
        Instant at = NOW.minusSeconds(60 - step);
        String schedule = "s" + random.nextInt(4);
        Set<FireKey> own = waiting.computeIfAbsent(schedule, added -> new HashSet<>());
        int kind = random.nextInt(8);
        if (kind < 4) {
          FireKey key = key(schedule, at);
          own.add(key);
          notes.add(book -> waits(book, "etl", key, at));
        } else if (kind < 6 && !own.isEmpty()) {
          FireKey key = own.iterator().next();
          own.remove(key);
          running.add(key);
          fires.add(book -> book.started("etl", key, at));
        } else if (kind == 6 && !running.isEmpty()) {
          FireKey key = running.iterator().next();
          running.remove(key);
          notes.add(book -> ended(book, "etl", key, at));
        } else if (kind == 7) {
          own.clear();
          notes.add(
              book ->
                  book.note(
                      named("etl"),
                      new WaitingNote.Withdrawn(MissedReason.PAUSED),
                      schedule,
                      Optional.empty(),
                      at));
        }
      }
      LimitBook read = new LimitBook(10_000_000);
      int note = random.nextBoolean() ? notes.size() : 0; // a start reads the notes first
      notes.subList(0, note).forEach(one -> one.into(read));
      int fire = 0;
      while (note < notes.size() || fire < fires.size()) {
        boolean isNote = fire == fires.size() || (note < notes.size() && random.nextBoolean());
        (isNote ? notes.get(note++) : fires.get(fire++)).into(read);
      }
      long waits = waiting.values().stream().mapToLong(Set::size).sum();
      List<LimitRow> rows = read.rows(Map.of("etl", 1L), NOW);
      assertThat(rows.get(0).waiting()).as("waiting, seed " + seed).isEqualTo(waits);
      assertThat(rows.get(0).running()).as("running, seed " + seed).isEqualTo(running.size());
    }
  }
}
