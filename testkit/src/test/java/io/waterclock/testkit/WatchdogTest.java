package io.waterclock.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Index.atIndex;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waterclock.runtime.metrics.Metrics;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.WalkProgress;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.testkit.model.Accounts;
import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.ScheduleView;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.store.DueIndex;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a watchdog pass repairs in a queue that does not match the schedules. */
final class WatchdogTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant HALF_PAST = Instant.parse("2026-11-21T12:30:00Z");
  private static final Instant ONE = Instant.parse("2026-11-21T13:00:00Z");
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final Duration TICK = Duration.ofSeconds(5);
  private static final Duration QUEUES_ALL = Duration.ofDays(1);
  private static final Duration COMPLETED_RETENTION = Duration.ofHours(1);
  private static final String ON_THE_HOUR = "{\"cron\":\"0 * * * *\"}";
  private static final String ON_THE_HOUR_EACH = "{\"cron\":\"0 * * * *\",\"catch_up\":\"replay\"}";
  private static final String EACH_MINUTE = "{\"cron\":\"* * * * *\",\"catch_up\":\"replay\"}";
  private static final String ON_THE_HALF = "{\"cron\":\"30 * * * *\"}";

  private final Metrics metrics = new Metrics(InstantSource.fixed(START), () -> true, 1);
  private final Tasks tasks = new Tasks();
  private final SchedulerHarness scheduler = start();

  /** Keeps what the latest task says of itself. */
  private static final class Tasks implements TaskReports {
    private Optional<TaskView> view = Optional.empty();

    @Override
    public void assigned(TaskId task, TaskView latest, Instant now) {
      view = Optional.of(latest);
    }

    @Override
    public void ticked(TaskId task, Reading reading, Instant now) {}

    @Override
    public void revoked(TaskId task) {}
  }

  private SchedulerHarness start() {
    return start(QUEUES_ALL);
  }

  private SchedulerHarness start(Duration horizon) {
    Settings.Pace pace =
        new Settings.Pace(
            TICK,
            new Settings.Budget(Duration.ofMinutes(1), Integer.MAX_VALUE),
            100,
            Duration.ofSeconds(5),
            INTERVAL,
            100,
            horizon);
    return SchedulerHarness.ticking(
        START, pace, COMPLETED_RETENTION, TaskReports.to(metrics, tasks), SchedulerHarness.LIMITS);
  }

  @AfterEach
  void close() {
    scheduler.close();
    metrics.close();
  }

  @Test
  void a_schedule_without_an_entry_gets_one_and_fires_on_time() {
    scheduler.put("a", ON_THE_HOUR);
    StoreTampering.define(scheduler, "b", StoreTampering.definition(scheduler, "a"));
    awaitPass();
    assertRepaired(1);
    assertActions(1, 0, 0, 0);
    assertFiresOnTime("b", ONE);
    assertFiresOnTime("a", ONE);
  }

  @Test
  void a_pass_is_one_line_in_the_log_which_only_a_requested_one_writes_at_info() {
    scheduler.put("a", ON_THE_HOUR);
    awaitPass();
    Logger logger = (Logger) LoggerFactory.getLogger("io.waterclock.topology.scheduler.task");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Level before = logger.getLevel();
    logger.setLevel(Level.DEBUG);
    logger.addAppender(lines);
    try {
      StoreTampering.define(scheduler, "b", StoreTampering.definition(scheduler, "a"));
      passNow();
      awaitPass();
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(before);
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(line -> line.contains("queue entry of b"))
        .singleElement()
        .asString()
        .startsWith("Created the queue entry of b: it waits for ")
        .contains(". What came due since 2026-")
        .endsWith(" may not have fired: waterclock audit b counts it");
    assertThat(lines.list)
        .filteredOn(line -> line.getMessage().contains("pass of partition"))
        .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
        .hasSizeGreaterThanOrEqualTo(2)
        .satisfies(
            requested ->
                assertThat(requested)
                    .matches(
                        "INFO Requested watchdog pass of partition 0: 2 schedules checked in \\S+;"
                            + " queue entries: 1 created, 0 re-enqueued, 0 removed;"
                            + " 0 faulted schedules tried again"),
            atIndex(0))
        .satisfies(
            own -> assertThat(own).startsWith("DEBUG Watchdog pass of partition 0: 2 schedules"),
            atIndex(1));
  }

  @Test
  void a_pass_that_removes_what_is_complete_takes_no_longer_than_any_other() {
    int many = 3_000;
    for (int i = 0; i < many; i++) {
      scheduler.put("once/" + i, "{\"at\":\"2026-11-21T12:00:01Z\"}");
    }
    scheduler.advance(COMPLETED_RETENTION);
    assertThat(scheduler.fires()).hasSize(many);
    assertThat(removed()).isZero();
    scheduler.advance(INTERVAL.multipliedBy(2).plus(TICK));
    assertThat(removed()).isEqualTo(many);
  }

  @Test
  void an_entry_of_no_schedule_is_removed() {
    scheduler.put("a", ON_THE_HOUR);
    scheduler.put("orphan", ON_THE_HOUR);
    StoreTampering.remove(scheduler, "orphan");
    assertThat(watermark().getLive()).isEqualTo(2);
    awaitPass();
    assertRepaired(1);
    assertActions(0, 0, 1, 0);
    assertThat(watermark().getLive()).isEqualTo(1);
    assertFiresOnTime("a", ONE);
    assertThat(scheduler.fires("orphan")).isEmpty();
  }

  @Test
  void what_was_due_while_the_definition_was_not_in_the_store_fires_when_it_is_there_again() {
    byte[] definition = lose("a", EACH_MINUTE);
    scheduler.advance(Duration.ofSeconds(150));
    assertThat(scheduler.fires("a")).isEmpty();
    StoreTampering.define(scheduler, "a", definition);
    passNow();
    assertEachMinuteFiredOnce("a");
  }

  @Test
  void what_was_due_fires_also_where_the_walk_was_the_first_to_miss_the_definition() {
    scheduler.put("a", ON_THE_HOUR_EACH);
    byte[] definition = StoreTampering.definition(scheduler, "a");
    StoreTampering.remove(scheduler, "a");
    passNow();
    assertActions(0, 0, 1, 0);
    scheduler.advanceTo(ONE.plus(Duration.ofHours(2)));
    StoreTampering.define(scheduler, "a", definition);
    passNow();
    scheduler.advanceTo(ONE.plus(Duration.ofHours(3)));
    assertThat(occurrences("a"))
        .containsExactly(
            ONE,
            ONE.plus(Duration.ofHours(1)),
            ONE.plus(Duration.ofHours(2)),
            ONE.plus(Duration.ofHours(3)));
    Accounts.mustBalance(scheduler);
  }

  @Test
  void a_definition_that_is_back_before_anything_is_due_fires_as_if_nothing_had_been() {
    byte[] definition = lose("a", ON_THE_HOUR_EACH);
    passNow();
    StoreTampering.define(scheduler, "a", definition);
    passNow();
    assertFiresOnTime("a", ONE);
    scheduler.advanceTo(ONE.plus(Duration.ofHours(2)));
    scheduler.stop();
    scheduler.start();
    awaitPass();
    assertThat(occurrences("a")).hasSize(3);
    assertThat(scheduler.fires("a")).allMatch(fire -> fire.getFiredAt().equals(fire.getDue()));
    Accounts.mustBalance(scheduler);
  }

  @Test
  void what_was_due_fires_also_where_the_definition_comes_back_with_a_restart() {
    byte[] definition = lose("a", EACH_MINUTE);
    scheduler.advance(Duration.ofSeconds(150));
    scheduler.stop();
    scheduler.start();
    scheduler.advance(Duration.ofSeconds(60));
    StoreTampering.define(scheduler, "a", definition);
    scheduler.stop();
    scheduler.start();
    assertEachMinuteFiredOnce("a");
  }

  @Test
  void jitter_hides_nothing_of_what_was_due() {
    byte[] definition =
        lose("a", "{\"cron\":\"* * * * *\",\"jitter\":\"PT50S\",\"catch_up\":\"replay\"}");
    scheduler.advance(Duration.ofSeconds(150));
    StoreTampering.define(scheduler, "a", definition);
    passNow();
    assertEachMinuteFiredOnce("a");
  }

  @Test
  void a_once_that_was_due_meanwhile_fires_late_instead_of_completing() {
    byte[] definition = lose("a", "{\"at\":\"2026-11-21T12:01:00Z\"}");
    scheduler.advance(Duration.ofMinutes(2));
    StoreTampering.define(scheduler, "a", definition);
    passNow();
    assertThat(occurrences("a")).containsExactly(Instant.parse("2026-11-21T12:01:00Z"));
    Accounts.mustBalance(scheduler);
  }

  @Test
  void what_was_due_while_the_store_held_another_definition_that_waits_fires_afterwards() {
    scheduler.put("a", ON_THE_HOUR_EACH);
    scheduler.put("b", "{\"cron\":\"0 * * * *\",\"enabled\":false}");
    byte[] definition = StoreTampering.definition(scheduler, "a");
    StoreTampering.define(scheduler, "a", StoreTampering.definition(scheduler, "b"));
    passNow();
    scheduler.advanceTo(HALF_PAST.plus(Duration.ofHours(1)));
    StoreTampering.define(scheduler, "a", definition);
    passNow();
    assertThat(occurrences("a")).containsExactly(ONE);
    Accounts.mustBalance(scheduler);
  }

  /** Defines a schedule that is lost from the store; returns the definition. */
  private byte[] lose(String id, String definition) {
    scheduler.put(id, definition);
    byte[] stored = StoreTampering.definition(scheduler, id);
    StoreTampering.remove(scheduler, id);
    return stored;
  }

  private void assertEachMinuteFiredOnce(String id) {
    scheduler.advance(Duration.ofMinutes(3));
    long minutes = Duration.between(START, scheduler.now()).toMinutes();
    assertThat(occurrences(id))
        .startsWith(START.plusSeconds(60))
        .hasSizeBetween((int) minutes - 1, (int) minutes)
        .isSorted()
        .doesNotHaveDuplicates();
    Accounts.mustBalance(scheduler);
  }

  private List<Instant> occurrences(String id) {
    return scheduler.fires(id).stream().map(Fire::getOccurrence).toList();
  }

  @Test
  void an_entry_off_the_grid_is_moved_onto_it() {
    scheduler.put("a", ON_THE_HOUR);
    scheduler.put("b", ON_THE_HALF);
    byte[] ofA = StoreTampering.definition(scheduler, "a");
    StoreTampering.define(scheduler, "a", StoreTampering.definition(scheduler, "b"));
    StoreTampering.define(scheduler, "b", ofA);
    awaitPass();
    assertRepaired(2);
    assertFiresOnTime("a", HALF_PAST);
    assertFiresOnTime("b", ONE);
  }

  @Test
  void an_entry_of_a_stale_revision_gives_way_to_one_of_the_current() {
    scheduler.put("a", ON_THE_HOUR);
    scheduler.advance(TICK);
    byte[] stale = StoreTampering.definition(scheduler, "a");
    scheduler.put("a", ON_THE_HALF);
    byte[] current = StoreTampering.definition(scheduler, "a");
    StoreTampering.define(scheduler, "a", stale);
    awaitPass();
    assertRepaired(1);
    assertThat(view("a").queuedFor()).contains(ONE);
    assertActions(0, 1, 0, 0);

    StoreTampering.define(scheduler, "a", current);
    awaitPass();
    assertRepaired(2);
    assertActions(0, 2, 0, 0);
    assertFiresOnTime("a", HALF_PAST);
    assertThat(scheduler.fires("a").get(0).getRevision())
        .isEqualTo(scheduler.status("a").orElseThrow().getRevision());
  }

  @Test
  void what_is_held_has_no_entry_and_what_is_not_has_one() {
    scheduler.put("a", ON_THE_HOUR);
    scheduler.put("b", "{\"cron\":\"0 * * * *\",\"enabled\":false}");
    byte[] ofA = StoreTampering.definition(scheduler, "a");
    StoreTampering.define(scheduler, "a", StoreTampering.definition(scheduler, "b"));
    StoreTampering.define(scheduler, "b", ofA);
    awaitPass();
    assertRepaired(2);
    assertActions(1, 0, 1, 0);
    assertFiresOnTime("b", ONE);
    assertThat(scheduler.fires("a")).isEmpty();
  }

  @Test
  void a_schedule_that_cannot_be_decided_is_faulted_once_and_recovers_when_it_can() {
    byte[] good = park("a");
    ScheduleStatus faulted = scheduler.status("a").orElseThrow();
    assertThat(faulted.getState()).isEqualTo(State.FAULTED);
    assertThat(faulted.getReason()).contains("Europe/Merlin");
    assertThat(watermark().getFaulted()).isEqualTo(1);
    assertThat(watermark().getWalk().getFaulted()).isEqualTo(1);
    assertThat(watermark().getLive()).isZero();
    assertThat(scrape().sum("waterclock_faulted_total")).isEqualTo(1);
    assertThat(scrape().by("state", "waterclock_schedules")).containsEntry("faulted", 1.0);

    passNow();
    passNow();
    assertActions(0, 0, 0, 3);
    assertThat(watermark().getWalk().getFaulted()).isEqualTo(1);
    assertThat(statuses("a", State.FAULTED)).isEqualTo(1);

    StoreTampering.define(scheduler, "a", good);
    passNow();
    assertFiresOnTime("a", ONE);
    assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.ACTIVE);
    passNow();
    assertThat(watermark().getFaulted()).isZero();
    assertThat(watermark().getWalk().getFaulted()).isZero();
    assertThat(scrape().by("state", "waterclock_schedules")).containsEntry("faulted", 0.0);
    assertThat(scrape().sum("waterclock_faulted_total")).isEqualTo(1);
    assertRepaired(0);
  }

  @Test
  void a_faulted_schedule_is_tried_again_soon_after_a_start() {
    byte[] good = park("a");
    assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.FAULTED);
    StoreTampering.define(scheduler, "a", good);
    scheduler.stop();
    scheduler.start();
    scheduler.advance(TICK.multipliedBy(2));
    assertThat(view("a").queuedFor()).contains(ONE);
  }

  @Test
  void a_schedule_that_fails_with_undecided_occurrences_of_two_revisions_holds_up_no_other() {
    String hourly = "{\"every\":\"1h\",\"jitter\":\"40m\",\"timezone\":\"Europe/Berlin\"";
    scheduler.put("a", hourly + "}");
    Instant due = view("a").queuedFor().orElseThrow();
    scheduler.advanceTo(due.minus(TICK));
    scheduler.put("a", hourly + ",\"payload\":{\"new\":true}}");
    loseZone("a");
    scheduler.put("b", "{\"at\":\"" + due.plus(TICK) + "\"}");
    scheduler.advanceTo(due.plus(TICK));
    assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.FAULTED);
    assertFiresOnTime("b", due.plus(TICK));
  }

  @Test
  void a_walk_that_is_asked_for_begins_at_once_and_is_one_however_often_it_is_asked_for() {
    scheduler.put("a", ON_THE_HOUR);
    scheduler.advance(Duration.ofSeconds(10));
    StoreTampering.define(scheduler, "b", StoreTampering.definition(scheduler, "a"));
    Instant asked = tasks.view.orElseThrow().requestPass();
    assertThat(tasks.view.orElseThrow().requestPass()).isEqualTo(asked);
    scheduler.advance(TICK.multipliedBy(2));
    WalkProgress progress = tasks.view.orElseThrow().watermark().getWalk();
    assertThat(progress.getStartedAt()).isBetween(asked, asked.plus(TICK));
    assertThat(progress.getEndedAt()).isNotNull();
    assertThat(progress.getWalked()).isEqualTo(2);
    assertThat(progress.getRepaired()).isEqualTo(1);
    assertThat(tasks.view.orElseThrow().requestPass()).isAfter(asked);
  }

  @Test
  void where_the_walk_is_says_which_schedules_the_pass_has_seen() {
    for (int i = 0; i < 1_000; i++) {
      scheduler.put("s" + (1_000 + i), ON_THE_HOUR);
    }
    awaitPass();
    scheduler.advance(Duration.ofMinutes(2));
    WalkProgress under = tasks.view.orElseThrow().watermark().getWalk();
    assertThat(under.getEndedAt()).isNull();
    assertThat(under.getReached()).isEqualTo("s" + (999 + under.getWalked()));
    assertThat(under.getWalked()).isBetween(200L, 470L); // slices of some hundred
    assertThat(under.getPreviousStartedAt())
        .isBetween(
            under.getStartedAt().minus(INTERVAL).minus(TICK.multipliedBy(2)),
            under.getStartedAt().minus(INTERVAL));
  }

  @Test
  void after_an_assignment_the_reading_of_all_definitions_counts_as_a_pass() {
    scheduler.put("a", ON_THE_HOUR);
    scheduler.stop();
    scheduler.advance(Duration.ofMinutes(1));
    StoreTampering.index(scheduler).clear();
    scheduler.start();
    WalkProgress first = tasks.view.orElseThrow().watermark().getWalk();
    assertThat(first.getPreviousStartedAt()).isEqualTo(scheduler.now());
  }

  @Test
  void after_an_assignment_with_an_index_a_pass_begins() {
    scheduler.put("a", ON_THE_HOUR);
    scheduler.put("b", "{\"cron\":\"0 * * * *\",\"enabled\":false}");
    scheduler.stop();
    scheduler.advance(Duration.ofMinutes(1));
    scheduler.start();
    WalkProgress first = tasks.view.orElseThrow().watermark().getWalk();
    assertThat(first.getPreviousStartedAt()).isNull();
    assertThat(first.getStartedAt()).isEqualTo(scheduler.now());
    assertThat(first.getWalked()).isEqualTo(2);
    scheduler.advance(TICK);
    assertThat(scrape().by("state", "waterclock_schedules"))
        .containsEntry("active", 1.0)
        .containsEntry("paused", 1.0);
  }

  @Test
  void a_schedule_that_waits_on_disk_without_an_entry_gets_one_and_fires_on_time() {
    try (SchedulerHarness far = start(Duration.ofMinutes(1))) {
      loseEntryOnDisk(far);
      far.advanceTo(ONE.minus(INTERVAL.multipliedBy(3)).minus(TICK));
      assertThat(latest(far).getRepaired()).as("before it matters").isZero();
      far.advanceTo(ONE.minus(INTERVAL));
      assertEntryOnDiskMade(far);
    }
  }

  @Test
  void a_requested_pass_finds_an_entry_that_disk_lacks_at_once() {
    try (SchedulerHarness far = start(Duration.ofMinutes(1))) {
      loseEntryOnDisk(far);
      tasks.view.orElseThrow().requestPass();
      far.advance(TICK.multipliedBy(4));
      assertEntryOnDiskMade(far);
    }
  }

  /** Of one of two schedules that wait for an hour. */
  private void loseEntryOnDisk(SchedulerHarness far) {
    far.put("a", ON_THE_HOUR);
    far.put("b", ON_THE_HOUR);
    far.advance(TICK);
    assertThat(view("a").queuedFor()).contains(ONE);
    StoreTampering.index(far).delete(new DueIndex.Entry(ONE.toEpochMilli(), bytes("a")));
    assertThat(view("a").queuedFor()).isEmpty();
  }

  private static void assertEntryOnDiskMade(SchedulerHarness far) {
    assertThat(latest(far).getRepaired()).isEqualTo(1);
    assertThat(latest(far).getLive()).as("schedules in memory").isZero();
    far.advanceTo(ONE);
    assertThat(far.fires("a")).hasSize(1);
    assertThat(far.fires("b")).hasSize(1);
  }

  private static Watermark latest(SchedulerHarness scheduler) {
    List<Watermark> watermarks = scheduler.watermarks();
    return watermarks.get(watermarks.size() - 1);
  }

  private static byte[] bytes(String id) {
    return id.getBytes(US_ASCII);
  }

  /** Defines a schedule whose zone gets lost; returns the definition as it was. */
  private byte[] park(String id) {
    scheduler.put(id, "{\"cron\":\"0 * * * *\",\"timezone\":\"Europe/Berlin\"}");
    byte[] good = loseZone(id);
    passNow();
    return good;
  }

  /** Returns the definition as it was. */
  private byte[] loseZone(String id) {
    byte[] good = StoreTampering.definition(scheduler, id);
    String lostZone = new String(good, ISO_8859_1).replace("Europe/Berlin", "Europe/Merlin");
    StoreTampering.define(scheduler, id, lostZone.getBytes(ISO_8859_1));
    return good;
  }

  /** Runs a watchdog pass now, and lets it end. */
  private void passNow() {
    tasks.view.orElseThrow().requestPass();
    scheduler.advance(TICK.multipliedBy(4));
  }

  /** Lets time pass until a whole pass has run, even if one had just ended or begun. */
  private void awaitPass() {
    scheduler.advance(INTERVAL.multipliedBy(2).plus(TICK));
  }

  private void assertRepaired(long entries) {
    assertThat(watermark().getRepaired()).isEqualTo(entries);
    assertThat(scrape().sum("waterclock_repaired_total")).isEqualTo((double) entries);
    int before = scheduler.watermarks().size();
    awaitPass();
    assertThat(scheduler.watermarks().size()).isGreaterThan(before);
    assertThat(watermark().getRepaired()).as("a second pass finds nothing").isEqualTo(entries);
    assertThat(watermark().getWalk().getRepaired()).isZero();
  }

  private void assertActions(double created, double requeued, double removed, double retried) {
    assertThat(scrape().by("action", "waterclock_watchdog_total"))
        .containsEntry("entry_created", created)
        .containsEntry("entry_requeued", requeued)
        .containsEntry("entry_removed", removed)
        .containsEntry("schedule_retried", retried);
  }

  private void assertFiresOnTime(String id, Instant at) {
    scheduler.advanceTo(at.plus(TICK));
    assertThat(scheduler.fires(id)).isNotEmpty();
    Fire first = scheduler.fires(id).get(0);
    assertThat(first.getOccurrence()).isEqualTo(at);
    assertThat(first.getFiredAt()).isEqualTo(at);
  }

  private ScheduleView view(String id) {
    return tasks.view.orElseThrow().schedule(new ScheduleId(id)).orElseThrow();
  }

  private Watermark watermark() {
    scheduler.advance(Duration.ofSeconds(5));
    List<Watermark> all = scheduler.watermarks();
    return all.get(all.size() - 1);
  }

  private Scrape scrape() {
    metrics.committed();
    return Scrape.of(metrics.scrape());
  }

  private long removed() {
    return scheduler.records(scheduler.topics().status()).stream()
        .filter(record -> record.value() == null)
        .count();
  }

  private long statuses(String id, State state) {
    return scheduler.records(scheduler.topics().status()).stream()
        .filter(record -> record.value() != null)
        .map(record -> RecordCodecs.status().decode(record.value()))
        .filter(status -> status.getScheduleId().equals(id) && status.getState() == state)
        .count();
  }
}
