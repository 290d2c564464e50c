package io.waterclock.testkit.model;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CancelBackfillCommand;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.RunningBackfill;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.SkipCommand;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.UnskipCommand;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.testkit.Harnesses;
import io.waterclock.testkit.SchedulerHarness;
import io.waterclock.testkit.model.CommandedModel.Range;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;

/** The scheduler and the reference, side by side: what happens to one happens to the other. */
final class Rig implements AutoCloseable {
  private static final Duration BETWEEN_SLICES = Duration.ofMillis(200);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MOST_BACKFILLS = 16;
  private static final int MOST_TICKS_TO_DRAIN = 3_000;

  /** A record on its way. */
  private record Input(
      String id,
      String revision,
      Optional<Schedule> schedule,
      Optional<Command> command,
      Optional<RunsModel.Report> report,
      long atMs,
      boolean registered) {

    /** One for each schedule and topic. */
    String place() {
      return id + (command.isPresent() ? " command" : report.isPresent() ? " report" : "");
    }

    boolean isDelete() {
      return schedule.isEmpty() && command.isEmpty() && report.isEmpty();
    }
  }

  private final SchedulerHarness scheduler;
  private final StepCheck judge;
  private final boolean exact;
  private final long horizonMs;
  private final long retentionMs;
  private final Map<String, ScheduleModel> lives = new LinkedHashMap<>();
  private final Map<String, List<Long>> firedInEarlierLives = new LinkedHashMap<>();
  private final Map<String, ScheduleModel.Ended> earlier = new LinkedHashMap<>();
  private final Map<String, Schedule> definitions = new LinkedHashMap<>();
  private final List<Input> waiting = new ArrayList<>();
  private final List<Input> held = new ArrayList<>();
  private final CalendarModel calendars = new CalendarModel();
  private final Map<String, List<Input>> ofUnknown = new LinkedHashMap<>();
  private final CommandLedger commands = new CommandLedger();
  private final Map<String, Seen> toBeSeen = new LinkedHashMap<>();
  private long nowMs;
  private long tickedMs;
  private long offset;
  private int dropped;

  /**
   * @param exact true when every tick has time for all that is due, so that the reference can
   *     foretell each; false when it can only say what is lawful
   * @param horizonMs nothing that occurs later is looked at
   * @param retention of completed schedules
   */
  Rig(
      SchedulerHarness scheduler,
      StepCheck judge,
      boolean exact,
      long horizonMs,
      Duration retention) {
    this.scheduler = scheduler;
    this.judge = judge;
    this.exact = exact;
    this.horizonMs = horizonMs;
    this.retentionMs = retention.toMillis();
    this.nowMs = scheduler.now().toEpochMilli();
  }

  public SchedulerHarness scheduler() {
    return scheduler;
  }

  Optional<ScheduleModel> life(String id) {
    return Optional.ofNullable(lives.get(id));
  }

  /** The occurrences of a schedule that fired before it was deleted. */
  List<Long> firedInEarlierLives(String id) {
    return firedInEarlierLives.computeIfAbsent(id, any -> new ArrayList<>());
  }

  long nowMs() {
    return Math.max(nowMs, scheduler.now().toEpochMilli());
  }

  /** Occurrences to come of a definition, to name some. */
  List<Long> occurrences(Schedule schedule) {
    return new ScheduleModel(
            "x", "x@0", schedule, nowMs, nowMs, horizonMs, retentionMs, calendars, Optional.empty())
        .current()
        .occurrences;
  }

  void put(String id, Schedule schedule, Instant timestamp) {
    put(id, schedule, timestamp, false);
  }

  /**
   * @param registered whether the record is in the registry format
   */
  void put(String id, Schedule schedule, Instant timestamp, boolean registered) {
    send(
        new Input(
            id,
            name(),
            Optional.of(schedule),
            Optional.empty(),
            Optional.empty(),
            timestamp.toEpochMilli(),
            registered));
    byte[] value = RecordCodecs.schedule().encode(schedule, encoding(registered));
    scheduler.send(id, value, timestamp, new RecordHeaders());
    judge();
  }

  private Encoding encoding(boolean registered) {
    return registered ? scheduler.registry().encoding() : Encoding.AVRO;
  }

  /** True when a command for this schedule waits for the registry, or may have to. */
  boolean mayPark(String id) {
    return scheduler.registry().isAway() || isHeld(id);
  }

  private boolean isHeld(String id) {
    return held.stream().anyMatch(input -> input.id().equals(id));
  }

  /** Also of what is still to be read. */
  boolean hasHeldCommand(String id) {
    return Stream.of(waiting, held, ofUnknown.getOrDefault(id, List.of()))
        .flatMap(List::stream)
        .anyMatch(input -> input.id().equals(id) && input.command().isPresent());
  }

  /** The registry is back: held records are read before the next tick decides. */
  void registryComesBack(Duration tick) {
    scheduler.registry().comeBack();
    step(tick);
  }

  /** Counts from now, but not from before the last tick, which has decided what was due. */
  void putCalendar(String name, Calendar calendar) {
    calendars.put(name, calendar, Math.max(scheduler.now().toEpochMilli(), tickedMs));
    scheduler.putCalendar(name, calendar);
  }

  /** True while the clock shows less than the scheduler has seen. */
  boolean isSetBack() {
    return scheduler.now().toEpochMilli() < nowMs;
  }

  void delete(String id) {
    send(
        new Input(
            id,
            name(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            scheduler.now().toEpochMilli(),
            false));
    scheduler.delete(id);
    judge();
  }

  /** Gives a command, or gives it again. */
  void command(String id, Command command, Instant timestamp, boolean registered) {
    send(
        new Input(
            id,
            "",
            Optional.empty(),
            Optional.of(command),
            Optional.empty(),
            timestamp.toEpochMilli(),
            registered));
    RecordHeaders asking = new RecordHeaders();
    asking.add(HeaderNames.CORRELATION_ID, command.getCommandId().getBytes(StandardCharsets.UTF_8));
    byte[] value = RecordCodecs.command().encode(command, encoding(registered));
    scheduler.command(id, value, timestamp, asking);
    judge();
  }

  /** Reports what became of a fire. */
  void report(String id, RunsModel.Report report, Instant timestamp) {
    send(
        new Input(
            id,
            "",
            Optional.empty(),
            Optional.empty(),
            Optional.of(report),
            timestamp.toEpochMilli(),
            false));
    FireKey fire = FireKey.of(ScheduleId.parse(id), Instant.ofEpochMilli(report.at()));
    io.waterclock.schemas.avro.Outcome outcome =
        io.waterclock.schemas.avro.Outcome.newBuilder()
            .setFireKey(fire.text())
            .setState(report.state())
            .build();
    report.startedAt().map(Instant::ofEpochMilli).ifPresent(outcome::setStartedAt);
    scheduler.report(id, outcome, timestamp);
    judge();
  }

  /** False while a definition or a delete is on its way to a scheduler that is down. */
  boolean isSettled(String id) {
    return waiting.stream().noneMatch(input -> input.id().equals(id));
  }

  void step(Duration duration) {
    beginStep();
    scheduler.step(duration);
    unpark();
    ticked();
  }

  void setClock(Instant instant) {
    beginStep();
    scheduler.setClock(instant);
    unpark();
    ticked();
  }

  void stop() {
    Accounts.mustBalance(scheduler);
    scheduler.stop();
  }

  public void start() {
    if (scheduler.isRunning()) {
      return;
    }
    beginStep();
    commands.restarted();
    dropped = 0;
    scheduler.start();
    clock();
    calendars.readBy(nowMs);
    inOrderOfWriting(waiting).forEach(this::arrive);
    waiting.clear();
    unpark();
    ticked();
  }

  /** Lets the scheduler work off what is due, without time passing. */
  void drain() {
    for (int i = 0; i < MOST_TICKS_TO_DRAIN && isBehind(); i++) {
      step(Duration.ZERO);
    }
    if (isBehind()) {
      throw new AssertionError("what is due at " + Instant.ofEpochMilli(nowMs) + " is not decided");
    }
  }

  /** Lets the watchdog pass. */
  void settle(Duration pass) {
    drain();
    step(pass);
    drain();
    for (int i = 0; i < 3; i++) {
      step(BETWEEN_SLICES);
      drain();
    }
    for (int i = 0; i < MOST_TICKS_TO_DRAIN && isOrdered(); i++) {
      step(SECOND);
    }
    if (isOrdered()) {
      throw new AssertionError("what commands have ordered is not fired");
    }
    drain();
  }

  /** A tick with little time may leave a schedule ahead of the position, until the next pass. */
  boolean needsAnotherPass() {
    return !exact && judge.leftOver(lives.values(), nowMs).isPresent();
  }

  /** Lets the watchdog pass once more. */
  void pass(Duration pass) {
    step(pass);
    drain();
  }

  /** Checks that nothing is left over. */
  void mustBeSettled() {
    judge.leavesNothing(lives.values(), nowMs);
    Accounts.mustBalance(scheduler);
  }

  @Override
  public void close() {
    scheduler.close();
  }

  private boolean isOrdered() {
    return lives.values().stream().anyMatch(life -> life.commanded.isOwed());
  }

  private boolean isBehind() {
    return lives.values().stream().anyMatch(life -> life.isOwed(nowMs));
  }

  private String name() {
    return scheduler.topics().schedules() + "-0@" + offset++;
  }

  private void beginStep() {
    lives
        .values()
        .forEach(
            life -> {
              life.commanded.beginStep();
              life.runs.beginStep();
            });
  }

  private void send(Input input) {
    beginStep();
    if (scheduler.isRunning()) {
      clock();
      arrive(input);
    } else {
      waiting.add(input);
    }
  }

  private void clock() {
    nowMs = Math.max(nowMs, scheduler.now().toEpochMilli());
  }

  /** By timestamps, but those of one schedule and topic as they are in the topic. */
  private static List<Input> inOrderOfWriting(List<Input> inputs) {
    record Placed(Input input, long actsAtMs) {}
    Map<String, Long> last = new HashMap<>();
    return inputs.stream()
        .map(input -> new Placed(input, last.merge(input.place(), input.atMs(), Math::max)))
        .sorted(Comparator.comparing(Placed::actsAtMs))
        .map(Placed::input)
        .toList();
  }

  /** A record is read: it waits for the registry, behind others of its key, or takes effect. */
  private void arrive(Input input) {
    if (input.isDelete()) {
      held.stream().filter(each -> each.id().equals(input.id())).forEach(each -> dropped++);
      held.removeIf(each -> each.id().equals(input.id()));
      apply(input);
    } else if (input.report().isEmpty()
        && (isHeld(input.id()) || (input.registered() && scheduler.registry().isAway()))) {
      if (input.schedule().isPresent() && !isHeld(input.id())) {
        refuseOlder(input);
      }
      held.add(input);
    } else {
      apply(input);
    }
  }

  /** Commands that were written before their schedule is defined are for none. */
  private void refuseOlder(Input definition) {
    List<Input> waitingForIt = ofUnknown.getOrDefault(definition.id(), List.of());
    for (Input command : List.copyOf(waitingForIt)) {
      if (command.atMs() >= definition.atMs()) {
        return;
      }
      waitingForIt.remove(command);
      if (command.registered() && scheduler.registry().isAway()) {
        held.add(command);
      } else {
        commands.expect(command.command().orElseThrow().getCommandId(), Verdict.NOT_FOUND);
      }
    }
  }

  private void unpark() {
    if (scheduler.isRunning() && !scheduler.registry().isAway()) {
      clock();
      held.forEach(this::apply);
      held.clear();
    }
  }

  private void apply(Input input) {
    ScheduleModel life = lives.get(input.id());
    if (input.report().isPresent()) {
      if (life != null) {
        judge.expect(life, life.report(input.report().get(), input.atMs(), nowMs));
      }
      return;
    }
    if (input.command().isPresent()) {
      if (life == null && !commands.isDone(input.command().get().getCommandId())) {
        ofUnknown.computeIfAbsent(input.id(), id -> new ArrayList<>()).add(input);
      } else if (life != null) {
        execute(life, input.command().get(), input.atMs());
      }
      return;
    }
    if (input.schedule().isEmpty()) {
      if (life != null) {
        judge.expect(life, life.delete(input.atMs(), nowMs));
        end(life, life.ended(Math.min(input.atMs(), nowMs)));
      } else {
        long at = Math.min(input.atMs(), nowMs);
        ScheduleModel.Ended known =
            earlier.getOrDefault(input.id(), new ScheduleModel.Ended(at, Optional.empty()));
        earlier.put(
            input.id(),
            new ScheduleModel.Ended(Math.max(at, known.throughMs()), known.lastOccurrence()));
      }
      return;
    }
    Schedule schedule = input.schedule().get();
    if (life == null) {
      life =
          new ScheduleModel(
              input.id(),
              input.revision(),
              schedule,
              input.atMs(),
              nowMs,
              horizonMs,
              retentionMs,
              calendars,
              Optional.ofNullable(earlier.remove(input.id())));
      lives.put(input.id(), life);
      judge.began(life, life.current());
      refuseOlder(input);
      Optional.ofNullable(ofUnknown.remove(input.id())).ifPresent(all -> all.forEach(this::apply));
      return;
    }
    RevisionModel before = life.current();
    List<Outcome> lost = life.put(input.revision(), schedule, input.atMs(), nowMs);
    if (life.current() != before) {
      judge.began(life, life.current());
    }
    judge.expect(life, lost);
  }

  /** What the rules say of a command; nothing when it was given before. */
  private void execute(ScheduleModel life, Command command, long atMs) {
    String id = command.getCommandId();
    if (commands.isDone(id)) {
      return;
    }
    String revision = command.getExpectedRevision();
    Object action = command.getAction();
    if (revision != null && !revision.equals(life.current().name)) {
      commands.expect(id, Verdict.CONFLICT);
    } else if (action instanceof PauseCommand pause) {
      boolean isOvertaken = life.isOvertaken(atMs, nowMs);
      Optional<List<Outcome>> lost = life.pause(String.valueOf(pause.getNote()), atMs, nowMs);
      if (isOvertaken && lost.isEmpty()) {
        commands.expect(id, Verdict.CONFLICT);
      } else {
        changed(life, id, lost);
      }
    } else if (action instanceof ResumeCommand resume) {
      boolean fireOnce = resume.getOnResume() == OnResume.FIRE_ONCE;
      boolean isRefused =
          life.isOlderThanPause(atMs, nowMs)
              || (life.outlives(atMs, nowMs)
                  && life.commanded.pausedAt.isEmpty()
                  && !life.current().active);
      Optional<List<Outcome>> lost = life.resumeBy(fireOnce, atMs, nowMs);
      if (isRefused) {
        commands.expect(id, Verdict.CONFLICT);
      } else {
        changed(life, id, lost);
      }
    } else if (action instanceof SkipCommand skip) {
      long at = Math.min(atMs, nowMs);
      commands.expect(id, skip(life, skip.getOccurrence().toEpochMilli(), at));
    } else if (action instanceof UnskipCommand unskip) {
      long occurrence = unskip.getOccurrence().toEpochMilli();
      long at = Math.min(atMs, nowMs);
      boolean isPast =
          life.owner(occurrence).filter(r -> life.wasDue(r, occurrence, at)).isPresent();
      if (isPast) {
        commands.expect(id, Verdict.REJECTED);
      } else {
        life.commanded.skips.remove(occurrence);
        commands.expect(id, Verdict.EXECUTED);
      }
    } else if (action instanceof TriggerCommand) {
      life.commanded.manual.add(
          new CommandedModel.Manual(id, Math.min(atMs, nowMs), life.current().name));
      commands.expect(id, Verdict.EXECUTED);
    } else {
      long dueBy = Math.min(life.heldSince().orElse(Long.MAX_VALUE), Math.min(atMs, nowMs));
      toBeSeen.put(id, new Seen(life, life.current(), command, dueBy));
    }
  }

  private void changed(ScheduleModel life, String commandId, Optional<List<Outcome>> lost) {
    commands.expect(commandId, lost.isPresent() ? Verdict.EXECUTED : Verdict.UNCHANGED);
    judge.expect(life, lost.orElse(List.of()));
  }

  private static Verdict skip(ScheduleModel life, long at, long writtenMs) {
    Optional<RevisionModel> owner = life.owner(at);
    if (owner.isEmpty() || life.wasDue(owner.get(), at, writtenMs)) {
      return Verdict.REJECTED;
    }
    if (owner.get().isOnSkipList(at)) {
      return Verdict.UNCHANGED;
    }
    return life.commanded.skips.add(at) ? Verdict.EXECUTED : Verdict.UNCHANGED;
  }

  /** A command whose execution depends on how far the scheduler has come. */
  private record Seen(ScheduleModel life, RevisionModel current, Command command, long dueByMs) {
    /** True for an occurrence that was due at the command, or at the pause that held it. */
    boolean wasDue(long occurrence) {
      return occurrence <= current.ownsAfterMs || current.dueMs(occurrence) <= dueByMs;
    }
  }

  /** Sees what the scheduler has made of backfills, and whether it may have. */
  private void see() {
    toBeSeen.forEach(
        (id, seen) -> {
          Verdict verdict = commands.answer(id).orElseThrow(() -> new AssertionError(id));
          commands.expect(id, verdict);
          if (seen.command().getAction() instanceof BackfillCommand backfill) {
            backfilled(seen, id, backfill, verdict == Verdict.EXECUTED);
          } else if (seen.command().getAction() instanceof CancelBackfillCommand cancel) {
            cancelled(seen.life(), cancel.getBackfill(), verdict == Verdict.EXECUTED);
          }
        });
    toBeSeen.clear();
  }

  private void backfilled(Seen seen, String id, BackfillCommand command, boolean executed) {
    ScheduleModel life = seen.life();
    long from = command.getFrom().toEpochMilli();
    long asked = command.getTo().toEpochMilli();
    if (!executed) {
      boolean some =
          new Range(id, from, asked, seen.current()).next().filter(seen::wasDue).isPresent();
      require(!some || life.commanded.ranges.size() >= MOST_BACKFILLS, "backfill refused: " + id);
      return;
    }
    RunningBackfill running =
        scheduler.status(life.id()).orElseThrow().getBackfills().stream()
            .filter(candidate -> candidate.getCommandId().equals(id))
            .findFirst()
            .orElseThrow();
    long to = running.getTo().toEpochMilli();
    require(to <= asked && running.getFrom().toEpochMilli() >= from, "range of " + running);
    Optional<Long> last = new Range(id, from, to, seen.current()).all().reduce((a, b) -> b);
    require(last.filter(at -> !seen.wasDue(at)).isEmpty(), "not due and backfilled: " + running);
    Optional<Long> left = new Range(id, to, asked, seen.current()).next();
    require(left.filter(seen::wasDue).isEmpty(), "due and not backfilled: " + running);
    life.commanded.ranges.add(new Range(id, from, to, seen.current(), running.getNewestFirst()));
  }

  private static void cancelled(ScheduleModel life, String backfill, boolean executed) {
    Predicate<Range> it = range -> range.commandId.equals(backfill);
    boolean isOver = life.commanded.ranges.stream().filter(it).allMatch(range -> range.mayBeOver());
    require(executed || isOver, "not cancelled: " + backfill);
    life.commanded.ranges.removeIf(it);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private void ticked() {
    if (!scheduler.isRunning()) {
      return;
    }
    clock();
    tickedMs = nowMs;
    ofUnknown.values().forEach(all -> all.forEach(this::ofNoSchedule));
    ofUnknown.clear();
    if (exact) {
      lives.values().forEach(life -> judge.expect(life, life.tick(nowMs)));
    }
    judge();
    seeRemovals();
    lives.values().forEach(ScheduleModel::forgetEndedRun);
    judge.afterTick(lives.values(), nowMs);
    if (exact) {
      judge.leavesNothing(lives.values(), nowMs);
      require(
          lives.values().stream().allMatch(life -> life.commanded.manual.isEmpty()),
          "ordered and not fired");
    }
  }

  /**
   * The watchdog removes schedules that were complete for long enough; the reference does not know
   * when.
   */
  private void seeRemovals() {
    Set<String> stored = new HashSet<>();
    for (Bytes key : Harnesses.store(scheduler, "schedules").keySet()) {
      stored.add(new String(key.get(), StandardCharsets.UTF_8));
    }
    for (ScheduleModel life : List.copyOf(lives.values())) {
      if (!stored.contains(life.id())) {
        require(life.isOver(), "removed, but not complete: " + life.id());
        end(life, life.ended(life.current().saidMs));
        offset++; // of the tombstone that the scheduler has written
      }
    }
  }

  private void end(ScheduleModel life, ScheduleModel.Ended ended) {
    lives.remove(life.id());
    earlier.put(life.id(), ended);
    definitions.put(life.id(), life.current().schedule);
    firedInEarlierLives(life.id()).addAll(life.runs.fires());
  }

  /** The definition with which the latest life that is over ended. */
  Optional<Schedule> definitionOfEarlierLife(String id) {
    return Optional.ofNullable(definitions.get(id));
  }

  private void ofNoSchedule(Input input) {
    if (isHeld(input.id()) || (input.registered() && scheduler.registry().isAway())) {
      held.add(input);
    } else {
      commands.expect(input.command().orElseThrow().getCommandId(), Verdict.NOT_FOUND);
    }
  }

  private void judge() {
    if (scheduler.isRunning()) {
      judge.judge(lives.values(), nowMs, exact);
      commands.read(judge.answers());
      judge.refused(commands.refused() + dropped);
      see();
      lives.values().forEach(life -> life.commanded.noteFinished());
    }
  }
}
