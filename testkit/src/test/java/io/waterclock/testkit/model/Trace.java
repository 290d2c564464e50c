package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.testkit.Harnesses;
import io.waterclock.testkit.SchedulerHarness;
import io.waterclock.topology.scheduler.context.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A random history of one partition. The same seed gives the same history, whatever the scheduler
 * does.
 */
final class Trace {
  private static final List<String> IDS = List.of("a", "aa", "b/1", "Z");
  private static final Duration NEVER = Duration.ofDays(3_650);
  private static final List<OutcomeState> STATES =
      List.of(
          OutcomeState.STARTED,
          OutcomeState.STARTED,
          OutcomeState.SUCCEEDED,
          OutcomeState.SUCCEEDED,
          OutcomeState.FAILED,
          OutcomeState.FAILED,
          OutcomeState.DROPPED);
  private static final List<Place> PLACES = List.of(Place.values());

  /** Where a trace plays: around a change of clocks, or far from any. */
  private enum Place {
    PLAIN("2026-03-04T00:00:00Z", "Europe/Berlin"),
    GAP("2026-03-29T00:20:00Z", "Europe/Berlin"),
    OVERLAP("2026-10-24T23:50:00Z", "Europe/Berlin"),
    NEW_YORK("2026-03-08T06:30:00Z", "America/New_York"),
    LORD_HOWE("2026-04-04T14:30:00Z", "Australia/Lord_Howe"),
    MIDNIGHT("2026-06-02T21:57:00Z", "Europe/Berlin");

    private final Instant start;
    private final String zone;

    Place(String start, String zone) {
      this.start = Instant.parse(start);
      this.zone = zone;
    }
  }

  /** What a trace is about. */
  private enum Kind {
    /** The reference foretells every tick. */
    EXACT,
    /** Ticks have little time, so that herds and replays take many. */
    STRAINED,
    /** Nothing but REPLAY: the run without outages must fire the same. */
    TWIN
  }

  private final long seed;
  private final SplittableRandom random;

  /** Of its own, so that odd reports leave the rest of a history as it is without them. */
  private final SplittableRandom oddities;

  /** Of its own, for the same reason: what makes several lives of an id. */
  private final SplittableRandom lives;

  private final Kind kind;
  private final Place place;
  private final long tickMs;
  private final Settings.Pace pace;
  private final RandomDefinition definitions;
  private final RandomCommand commands;
  private final List<Given> given = new ArrayList<>();
  private final List<Rig> rigs = new ArrayList<>();
  private final StringBuilder story = new StringBuilder();

  /** From when on definitions may name calendars. */
  private Instant begun = Instant.MIN;

  /** A command as it was given. */
  private record Given(String id, Command command, Instant timestamp, boolean registered) {}

  private Trace(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.oddities = new SplittableRandom(~seed);
    this.lives = new SplittableRandom(seed * 31 + 7);
    this.kind = List.of(Kind.values()).get(Math.max(0, random.nextInt(5) - 2));
    this.place = PLACES.get(random.nextInt(PLACES.size()));
    this.tickMs = List.of(1_000L, 5_000L, 60_000L).get(random.nextInt(3));
    boolean strained = kind != Kind.EXACT && (kind == Kind.STRAINED || random.nextBoolean());
    this.pace =
        new Settings.Pace(
            Duration.ofMillis(tickMs),
            new Settings.Budget(
                strained ? Duration.ZERO : Duration.ofSeconds(10), Integer.MAX_VALUE),
            1 + random.nextInt(7),
            Duration.ofMillis(tickMs * random.nextInt(6)),
            Duration.ofMillis(tickMs * (1 + random.nextInt(50))),
            1 + random.nextInt(20),
            horizon(seed));
    this.definitions = new RandomDefinition(random, tickMs, place.zone, kind == Kind.TWIN);
    this.commands = new RandomCommand(random);
  }

  /** Most histories have schedules that wait outside of the queue. */
  private Duration horizon(long seed) {
    return switch ((int) (seed % 4)) {
      case 0 -> Settings.Pace.HORIZON;
      case 1 -> Duration.ofMillis(2);
      case 2 -> Duration.ofMillis(3 * tickMs);
      default -> Duration.ofMillis(40 * tickMs);
    };
  }

  /**
   * Runs the history of a seed.
   *
   * @throws AssertionError with the seed and the history, when something is wrong
   */
  static void run(long seed) {
    run(seed, UnaryOperator.identity());
  }

  /**
   * @param tampering what is done to the outcomes before they are judged
   */
  static void run(long seed, UnaryOperator<List<Outcome>> tampering) {
    Trace trace = new Trace(seed);
    try {
      trace.play(tampering);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "waterclock.seed=" + seed + "\n" + trace.story + "\n" + e.getMessage(), e);
    } finally {
      trace.rigs.forEach(Rig::close);
    }
  }

  private void play(UnaryOperator<List<Outcome>> tampering) {
    Instant start = place.start.plusMillis(random.nextLong(20) * tickMs);
    int actions = 10 + random.nextInt(30);
    long horizonMs = start.toEpochMilli() + tickMs * (25L * actions + 300);
    log(kind + " " + place + " " + pace);
    for (int i = 0; i < (kind == Kind.TWIN ? 2 : 1); i++) {
      Duration retention = completedRetention();
      SchedulerHarness scheduler = Harnesses.ticking(start, pace, retention);
      boolean exact = !pace.tickBudget().time().isZero();
      StepCheck judge = new StepCheck(scheduler, tampering, pace.backfillRate());
      rigs.add(new Rig(scheduler, judge, exact, horizonMs, retention));
    }
    RandomDefinition.CALENDARS.forEach(this::putCalendar);
    begun = now();
    for (int i = 0; i < actions; i++) {
      act();
    }
    log("end");
    rigs.get(0).start();
    registryComesBack();
    rigs.forEach(rig -> rig.step(Duration.ofMillis(tickMs * 25)));
    rigs.forEach(rig -> rig.settle(pace.watchdogInterval()));
    for (int i = 0; i < 2 && rigs.stream().anyMatch(Rig::needsAnotherPass); i++) {
      rigs.forEach(rig -> rig.pass(pace.watchdogInterval()));
    }
    rigs.forEach(Rig::mustBeSettled);
    if (kind == Kind.TWIN) {
      sameFires();
    }
  }

  /** Twins are removed at different times, as one of them has outages. */
  private Duration completedRetention() {
    return kind == Kind.TWIN || lives.nextInt(3) == 0
        ? NEVER
        : Duration.ofMillis(tickMs * (1 + lives.nextInt(40)));
  }

  private void act() {
    String id = IDS.get(random.nextInt(IDS.size()));
    switch (random.nextInt(34)) {
      case 0, 1, 2, 3 -> put(id);
      case 4, 5 -> edit(id);
      case 6 -> toggle(id);
      case 7 -> delete(id);
      case 8, 9 -> stop();
      case 10, 11, 12 -> start();
      case 13 -> stall();
      case 14 -> setBack();
      case 15 -> herd();
      case 16, 17 ->
          putCalendar(
              RandomDefinition.CALENDARS.get(random.nextInt(RandomDefinition.CALENDARS.size())));
      case 18, 19, 20, 21, 22 -> command(id);
      case 23 -> commandAgain();
      case 24, 25, 26, 27, 28, 29 -> report();
      case 30 -> registryGoesAway();
      case 31 -> registryComesBack();
      default -> pass(1 + random.nextInt(15));
    }
    if (lives.nextInt(8) == 0) {
      live(id);
    }
    pass(random.nextInt(4));
  }

  /** What has to do with more than one life of an id, or with two topics. */
  private void live(String id) {
    switch (lives.nextInt(4)) {
      case 0 -> beginAgain(id);
      case 1 -> disableAndResume(id);
      case 2 -> backfillAtAnEdge(id);
      default -> putAsBefore(id);
    }
  }

  /** A delete, and a definition from a clock that is behind. */
  private void beginAgain(String id) {
    Optional<Schedule> known = rigs.get(0).life(id).map(life -> life.current().schedule);
    if (known.isEmpty() || kind == Kind.TWIN || rigs.get(0).hasHeldCommand(id)) {
      return;
    }
    delete(id);
    pass(lives.nextInt(3));
    send(id, known.get(), -lives.nextLong(60 * tickMs));
  }

  /** The definition of a life that is over, once more. */
  private void putAsBefore(String id) {
    Rig rig = rigs.get(0);
    if (kind != Kind.TWIN && rig.life(id).isEmpty()) {
      rig.definitionOfEarlierLife(id)
          .ifPresent(schedule -> send(id, schedule, -lives.nextLong(60 * tickMs)));
    }
  }

  /** A definition that disables and a resume, each with a timestamp of its own. */
  private void disableAndResume(String id) {
    Rig rig = rigs.get(0);
    Optional<Schedule> known = rig.life(id).map(life -> life.current().schedule);
    if (known.isEmpty()
        || kind == Kind.TWIN
        || !(rig.scheduler().isRunning() || rig.isSettled(id))) {
      return;
    }
    Schedule disabled = Schedule.newBuilder(known.get()).setEnabled(false).build();
    boolean resumesFirst = lives.nextBoolean();
    if (resumesFirst) {
      resume(id);
    }
    send(id, disabled, lives.nextLong(20 * tickMs) - 15 * tickMs);
    if (!resumesFirst && rig.scheduler().isRunning()) {
      resume(id);
    }
  }

  private void resume(String id) {
    OnResume onResume = lives.nextBoolean() ? OnResume.NOTHING : OnResume.FIRE_ONCE;
    long offMs = lives.nextLong(20 * tickMs) - 15 * tickMs;
    Command command =
        new Command(
            "l" + given.size(), new ResumeCommand(onResume, null, null, null), null, null, null);
    give(new Given(id, command, now().plusMillis(offMs), false));
  }

  /** Around the acceptance of the trigger in force, where what it names was never due. */
  private void backfillAtAnEdge(String id) {
    Rig rig = rigs.get(0);
    if (kind == Kind.TWIN || !rig.scheduler().isRunning() || rig.life(id).isEmpty()) {
      return;
    }
    ScheduleModel life = rig.life(id).get();
    long edge = life.current().namesAfterMs;
    long from = Math.min(edge, rig.nowMs()) - lives.nextLong(5 * tickMs);
    long to = Math.max(from + 1, Math.min(rig.nowMs() + 1, edge + lives.nextLong(30 * tickMs)));
    BackfillCommand backfill =
        new BackfillCommand(Instant.ofEpochMilli(from), Instant.ofEpochMilli(to), false, null);
    give(new Given(id, new Command("l" + given.size(), backfill, null, null, null), now(), false));
  }

  private void put(String id) {
    Optional<Schedule> known = rigs.get(0).life(id).map(life -> life.current().schedule);
    if (known.isPresent() && random.nextInt(3) > 0) {
      edit(id);
      return;
    }
    Schedule schedule = definitions.first(now());
    send(id, random.nextInt(3) == 0 ? skipping(schedule) : schedule);
  }

  private void putCalendar(String name) {
    Calendar calendar = definitions.calendar(now());
    if (kind == Kind.STRAINED && rigs.get(0).isSetBack()) {
      return; // from when it counts depends on how far the ticks have come
    }
    log("calendar " + name + " " + calendar);
    rigs.forEach(rig -> rig.putCalendar(name, calendar));
  }

  private void edit(String id) {
    Optional<Schedule> known = rigs.get(0).life(id).map(life -> life.current().schedule);
    if (known.isPresent()) {
      Schedule changed = definitions.edited(known.get(), now());
      send(id, random.nextInt(4) == 0 ? skipping(changed) : changed);
    }
  }

  private Schedule skipping(Schedule schedule) {
    return definitions.skipping(schedule, rigs.get(0).occurrences(schedule));
  }

  /** Many edits in a row, as a deployment that loops would send them. */
  private void herd() {
    String id = IDS.get(random.nextInt(IDS.size()));
    for (int i = random.nextInt(6); i > 0; i--) {
      edit(id);
      pass(random.nextInt(2));
    }
  }

  private void toggle(String id) {
    Optional<Schedule> known = rigs.get(0).life(id).map(life -> life.current().schedule);
    if (known.isPresent() && kind != Kind.TWIN) {
      send(id, Schedule.newBuilder(known.get()).setEnabled(!known.get().getEnabled()).build());
    }
  }

  private void send(String id, Schedule schedule) {
    send(
        id,
        schedule,
        kind != Kind.TWIN && random.nextInt(5) == 0
            ? random.nextLong(20 * tickMs) - 10 * tickMs
            : 0);
  }

  private void send(String id, Schedule schedule, long offMs) {
    log("put " + id + " " + brief(schedule) + (offMs == 0 ? "" : " off by " + offMs));
    boolean registered = random.nextInt(3) == 0;
    log(registered ? "  in the registry format" : "  in a format of its own");
    Instant written = now().plusMillis(offMs);
    boolean names =
        !(schedule.getExcept().isEmpty() && schedule.getOnly().isEmpty())
            && written.isBefore(begun);
    rigs.forEach(rig -> rig.put(id, schedule, names ? begun : written, registered));
  }

  /** Mostly for a schedule that is known. */
  private void command(String anyId) {
    Rig rig = rigs.get(0);
    List<String> known = IDS.stream().filter(id -> rig.life(id).isPresent()).toList();
    String id =
        known.isEmpty() || random.nextInt(4) == 0 ? anyId : known.get(random.nextInt(known.size()));
    boolean running = rig.scheduler().isRunning();
    if (kind == Kind.TWIN || !(running || rig.isSettled(id))) {
      return;
    }
    commands
        .of(rig.life(id), rig.nowMs(), running)
        .ifPresent(
            command -> {
              long offMs = random.nextInt(5) == 0 ? random.nextLong(20 * tickMs) - 10 * tickMs : 0;
              give(new Given(id, command, now().plusMillis(offMs), random.nextInt(3) == 0));
            });
  }

  /** The result of a held command depends on when it is read; HeldRecordsTest covers those. */
  private void give(Given command) {
    if (rigs.get(0).mayPark(command.id())) {
      return;
    }
    log("command " + command);
    given.add(command);
    rigs.get(0).command(command.id(), command.command(), command.timestamp(), command.registered());
  }

  /** As a producer that repeats itself, or a partition that is read again. */
  private void commandAgain() {
    if (!given.isEmpty() && rigs.get(0).scheduler().isRunning()) {
      give(given.get(random.nextInt(given.size())));
    }
  }

  /** A worker reports a fire, mostly the latest of a schedule; seldom one that never was. */
  private void report() {
    Rig rig = rigs.get(0);
    boolean running = rig.scheduler().isRunning();
    List<String> fired =
        IDS.stream()
            .filter(id -> running || rig.isSettled(id))
            .filter(id -> rig.life(id).filter(Trace::mayTell).isPresent())
            .toList();
    if (kind == Kind.TWIN || fired.isEmpty()) {
      return;
    }
    String id = fired.get(random.nextInt(fired.size()));
    ScheduleModel life = rig.life(id).orElseThrow();
    List<Long> fires = life.runs.fires();
    int back = random.nextInt(3) == 0 ? random.nextInt(Math.min(4, fires.size())) : 0;
    Optional<Long> startedAt =
        random.nextInt(3) == 0
            ? Optional.of(now().toEpochMilli() + random.nextLong(10 * tickMs) - 8 * tickMs)
            : Optional.empty();
    long at = fires.get(fires.size() - 1 - back);
    if (oddities.nextInt(4) == 0) {
      at = neverFired(life, at, rig.firedInEarlierLives(id));
    }
    RunsModel.Report report = new RunsModel.Report(at, STATES.get(random.nextInt(7)), startedAt);
    long offMs = random.nextInt(5) == 0 ? random.nextLong(20 * tickMs) - 10 * tickMs : 0;
    log("report " + id + " " + report + (offMs == 0 ? "" : " off by " + offMs));
    rig.report(id, report, now().plusMillis(offMs));
  }

  /**
   * An instant between the occurrences of the definition in force, one that it has decided in some
   * way, or one that fired in an earlier life; the one given where there is none.
   */
  private long neverFired(ScheduleModel life, long fired, List<Long> earlier) {
    long ownsAfter = life.current().ownsAfterMs;
    List<Long> decided = List.copyOf(life.current().decided);
    int kind = oddities.nextInt(3);
    if (kind == 0 && fired - 1 > ownsAfter) {
      return fired - 1;
    }
    if (kind == 1 && !decided.isEmpty()) {
      return decided.get(decided.size() - 1 - oddities.nextInt(Math.min(4, decided.size())));
    }
    if (kind == 2 && !earlier.isEmpty()) {
      long at = earlier.get(oddities.nextInt(earlier.size()));
      return at <= life.beganMs || at > ownsAfter ? at : fired;
    }
    return fired;
  }

  /** The reference does not know whether the watchdog has recorded a completion. */
  private static boolean mayTell(ScheduleModel life) {
    return !life.runs.fires().isEmpty()
        && !life.runs.isUnsure()
        && (!life.current().active || life.current().hasUndecided());
  }

  /** A delete refuses held commands, and they may be given again. */
  private void delete(String id) {
    if (kind != Kind.TWIN && !rigs.get(0).hasHeldCommand(id)) {
      log("delete " + id);
      rigs.forEach(rig -> rig.delete(id));
    }
  }

  private void stop() {
    log("stop");
    rigs.get(0).stop();
  }

  private void start() {
    log("start");
    rigs.get(0).start();
  }

  /** Not for twins: what waits for the registry is decided later, as an edit that came later is. */
  private void registryGoesAway() {
    if (kind != Kind.TWIN) {
      log("the registry goes away");
      rigs.get(0).scheduler().registry().goAway();
    }
  }

  private void registryComesBack() {
    if (kind != Kind.TWIN) {
      log("the registry comes back");
      rigs.get(0).registryComesBack(Duration.ofMillis(tickMs));
    }
  }

  private void pass(int ticks) {
    for (int i = 0; i < ticks; i++) {
      rigs.forEach(rig -> rig.step(Duration.ofMillis(tickMs)));
    }
  }

  private void stall() {
    Duration stall = Duration.ofMillis(1 + random.nextLong(25 * tickMs));
    log("stall " + stall);
    rigs.forEach(rig -> rig.step(stall));
  }

  /** Only where the clock is stored with each tick: else it is not known to a new process. */
  private void setBack() {
    if (kind != Kind.TWIN && pace.watermarkInterval().isZero()) {
      Instant earlier = now().minusMillis(random.nextLong(8 * tickMs));
      log("clock set back to " + earlier);
      rigs.forEach(rig -> rig.setClock(earlier));
    }
  }

  private Instant now() {
    return rigs.get(0).scheduler().now();
  }

  private void sameFires() {
    Map<String, List<String>> interrupted = fires(rigs.get(0));
    Map<String, List<String>> steady = fires(rigs.get(1));
    if (!interrupted.equals(steady)) {
      throw new AssertionError("fired\n" + interrupted + "\nbut without outages\n" + steady);
    }
  }

  private static Map<String, List<String>> fires(Rig rig) {
    Map<String, List<String>> fires = new TreeMap<>();
    for (Fire fire : rig.scheduler().fires()) {
      fires
          .computeIfAbsent(fire.getScheduleId(), id -> new ArrayList<>())
          .add(fire.getOccurrence() + " " + fire.getRevision() + " " + fire.getSchedule());
    }
    return fires;
  }

  private void log(String line) {
    if (!rigs.isEmpty()) {
      story.append(now()).append(' ');
    }
    story.append(line).append('\n');
  }

  /** Only what was set. */
  private static String brief(Schedule schedule) {
    StringBuilder text = new StringBuilder(String.valueOf(schedule.getTrigger()));
    Schedule plain = Schedule.newBuilder().setTrigger(schedule.getTrigger()).build();
    schedule
        .getSchema()
        .getFields()
        .forEach(
            field -> {
              Object value = schedule.get(field.pos());
              if (!java.util.Objects.equals(value, plain.get(field.pos()))) {
                text.append(' ').append(field.name()).append('=').append(value);
              }
            });
    return text.toString();
  }

  @Override
  public String toString() {
    return "trace of seed " + seed;
  }
}
