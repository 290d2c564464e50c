package io.waterclock.topology.scheduler.admit;

import io.waterclock.definition.OwnerLimits;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.input.AnswerAddress;
import io.waterclock.topology.scheduler.input.HeaderBounds;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordKey;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;

/**
 * Admits the input records of a partition: definitions, commands, outcomes and strays. Fires
 * nothing. For the task's stream thread.
 *
 * <p>The classes of this package read the state and write nothing: they hand each {@link Effect} to
 * the applier, which carries it out at once, so what follows sees it.
 *
 * <p>A record whose schema the registry does not give yet is held, and later records of its key
 * wait behind it. Everything else goes on, the schedule that the record would change included.
 * docs/adr/0009-parking.md says why. A delete needs no schema and is the last write of its
 * partition: it does not wait, and it refuses the held records of its schedule, except newer
 * strays.
 */
public final class Admission {
  /** How many commands that have waited are taken at a time: those that are taken are executed. */
  private static final int TAKEN_AT_ONCE = 20;

  /** What is in transit for longer is lost, or far behind; nothing waits for it any more. */
  private static final Duration LONGEST_TRANSIT = Duration.ofMinutes(1);

  private static final Logger LOG = SafeLogger.of(Admission.class);

  private final Settings settings;
  private final int partition;
  private final Applier applier;
  private final Effort effort;
  private final RecordGuard guard;
  private final TaskContext task;
  private final RecordDeaths deaths;
  private final RejectionLog rejections;
  private final DeadLetterSender deadLetters;
  private final HeldRecords heldRecords;
  private final StraysInTransit straysInTransit;
  private final Intake intake;
  private final TakenOffsets offsets;
  private final AdmitDefinition definitions;
  private final AdmitCommand commands;
  private final AdmitOutcome outcomes;
  private final Strays strays;
  private final ForgetCommands forgetCommands;
  private final ForgetRemoved forgetRemoved;
  private final Consumer<ScheduleId> admitted;
  private final UnaryOperator<Instant> nowFor;
  private long deathsVersion = -1;
  private boolean isRead;

  /** The last stray that was sent when all that was read before the ends had acted. */
  private Optional<Long> settlesAfter = Optional.empty();

  private boolean isSettled;

  /**
   * @param nowFor the time at which a record is admitted, from its timestamp
   * @param forgottenThrough inclusive: up to here the topic may have lost deletes that no task has
   *     read; empty after a shorter outage
   * @param admitted receives the schedule id of each definition or delete at home
   */
  public Admission(
      TaskContext task,
      Gate gate,
      UnaryOperator<Instant> nowFor,
      Optional<Instant> forgottenThrough,
      Consumer<ScheduleId> admitted) {
    AdmissionContext context =
        AdmissionContext.of(task, task.applier()::apply, nowFor, forgottenThrough);
    this.task = task;
    this.nowFor = nowFor;
    this.settings = task.settings();
    this.partition = task.partition();
    this.applier = task.applier();
    this.effort = task.tables().effort();
    this.guard = context.guard();
    this.deaths = task.application().deaths();
    this.rejections = task.application().rejections();
    this.deadLetters = context.deadLetters();
    this.heldRecords = context.heldRecords();
    this.straysInTransit = context.straysInTransit();
    this.intake = context.intake();
    this.offsets =
        new TakenOffsets(settings.topics().schedules(), task.stores().strays(), applier::apply);
    this.definitions = new AdmitDefinition(context);
    this.commands = new AdmitCommand(context, new WaitingCommands(context, gate, context.clock()));
    this.outcomes = new AdmitOutcome(context);
    this.strays = new Strays(context);
    this.forgetCommands = new ForgetCommands(task, applier::apply);
    this.forgetRemoved = ForgetRemoved.of(task, applier::apply, offsets::save);
    this.admitted = admitted;
    applier.onChange(definitions::changed);
    deaths.assigned();
    forgottenThrough
        .map(through -> StrayStore.Forgotten.through(task.stores().strays().forgotten(), through))
        .ifPresent(bounds -> applier.apply(new Effect.ForgetRemoved(List.of(), bounds)));
  }

  /** Admits a record, or sends it to its home partition, or sets it aside. */
  public void admit(Inbound inbound, Instant now) {
    guard.run(
        inbound,
        now,
        () -> {
          route(inbound, now);
          return true;
        });
  }

  /**
   * Notes how far the task reads.
   *
   * @param toEnds true when it has read all inputs up to recent ends; what it reads otherwise waits
   */
  public void reads(boolean toEnds) {
    intake.reads(toEnds);
    isRead = toEnds;
    if (!toEnds) {
      settlesAfter = Optional.empty();
      isSettled = false;
    }
  }

  /**
   * Admits records that wait no longer: for earlier ones, for their schema, or for their schedule.
   */
  public void retry(Instant now) {
    rejections.logCount();
    straysInTransit.forget(now.minus(LONGEST_TRANSIT));
    if (isRead && !intake.isEmpty()) {
      Slice slice = slice();
      intake.release(
          Integer.MAX_VALUE,
          inbound -> {
            slice.take(inbound);
            admitReleased(inbound);
          },
          slice::isSpent);
    }
    settle();
    if (!heldRecords.isEmpty()) {
      setAside(now);
      retryHeld();
    }
    executeDue(now);
  }

  private void executeDue(Instant now) {
    Slice slice = slice();
    List<Inbound> due;
    do {
      due = commands.takeDue(now, TAKEN_AT_ONCE);
      for (Inbound command : due) {
        slice.take(command);
        if (!commands.isHeldBehindItsSchedule(command)) {
          executeWaiting(command);
        }
      }
    } while (!due.isEmpty() && !slice.isSpent());
  }

  private Slice slice() {
    return new Slice(effort);
  }

  /** Strays may come all the time: only those count that came before. */
  private void settle() {
    if (isRead && settlesAfter.isEmpty() && !intake.holdsReadBefore()) {
      settlesAfter = Optional.of(straysInTransit.lastSent());
    }
    isSettled =
        isSettled
            || settlesAfter.filter(last -> isRead && !straysInTransit.contains(last)).isPresent();
  }

  /**
   * True once all that was read before the task may decide, for the first time or again, is
   * admitted.
   */
  public boolean isSettled() {
    return isSettled;
  }

  /** Inclusive: no record that is read and not admitted yet changes what is due up to here. */
  public Instant admittedThrough(Instant readThrough) {
    return intake
        .first()
        .map(at -> at.minusMillis(1))
        .filter(readThrough::isAfter)
        .orElse(readThrough);
  }

  /** Forgets executed commands and removed schedules, a slice at a time. */
  public void forget(Instant now) {
    forgetCommands.run(now);
    forgetRemoved.run(now);
  }

  /** Stores the admitted offsets of the schedules topic. */
  public void save() {
    offsets.save();
  }

  /** Ends with its task. */
  public void stop() {
    heldRecords.leave();
    intake.leave();
    commands.leave();
  }

  /** How many records wait for their schema. */
  public int held() {
    return heldRecords.size();
  }

  private void route(Inbound inbound, Instant now) {
    String topic = inbound.topic();
    if (topic.equals(settings.topics().schedules()) && !offsets.takesFirst(inbound)) {
      return;
    }
    Optional<Problem> headers = HeaderBounds.problem(inbound.headers());
    if (headers.isPresent()) {
      deadLetters.refuse(inbound, headers.get(), now);
    } else if (topic.equals(settings.topics().strays())) {
      strays.take(inbound, now).ifPresent(stray -> admitInOrder(stray, now));
    } else if (strays.isStray(inbound)) {
      strays.send(inbound, now);
    } else {
      admitInOrder(inbound, now);
    }
  }

  /** Admits a record, or has it wait for those that were written earlier. */
  private void admitInOrder(Inbound inbound, Instant now) {
    boolean isAwaited =
        definesAtHome(inbound)
            && AnswerAddress.text(inbound.headers(), HeaderNames.STRAY)
                .filter(place -> straysInTransit.arrived(inbound.keyText(), place))
                .isPresent();
    if (!waitsForEarlier(inbound, isAwaited)) {
      admitOrHold(inbound, now);
      return;
    }
    while (intake.isFull()) {
      LOG.debug("More records wait than the bound allows: the first one acts");
      if (release(1) == 0) {
        intake.releaseFirst(this::admitReleased);
      }
    }
    intake.add(inbound, now);
  }

  /**
   * True while earlier records may be unread, or wait. A stray in transit takes its place in the
   * order of the home partition: a definition, there or on its way there, does not wait for it.
   *
   * @param isAwaited true for a stray that was in transit
   */
  private boolean waitsForEarlier(Inbound inbound, boolean isAwaited) {
    if (isRead && intake.isEmpty() && straysInTransit.isEmpty()) {
      return false;
    }
    Optional<ScheduleId> id = RecordKey.of(inbound).good();
    if (id.isEmpty()) {
      return false;
    }
    if (isAwaited) {
      return intake.isRedefined(id.get());
    }
    if (!isRead) {
      return true;
    }
    if (definesAtHome(inbound)) {
      return intake.contains(id.get());
    }
    return inbound.topic().equals(settings.topics().schedules())
        ? intake.orders(id.get())
        : intake.contains(id.get()) || straysInTransit.contains(id.get());
  }

  private boolean definesAtHome(Inbound inbound) {
    return inbound.partition() == partition
        && inbound.topic().equals(settings.topics().schedules());
  }

  private int release(int limit) {
    return intake.release(limit, this::admitReleased);
  }

  private void admitReleased(Inbound inbound) {
    Instant now = nowFor.apply(inbound.timestamp());
    guard.run(
        inbound,
        now,
        () -> {
          admitOrHold(inbound, now);
          return true;
        });
    RecordKey.of(inbound)
        .good()
        .filter(id -> definesAtHome(inbound) && !intake.isRedefined(id))
        .ifPresent(definitions::restoreAtHome);
  }

  private void admitOrHold(Inbound inbound, Instant now) {
    if (!heldRecords.isEmpty() && RecordKey.of(inbound).good().isPresent() && waits(inbound, now)) {
      return;
    }
    try {
      admitAtHome(inbound, now);
    } catch (SchemaUnavailableException e) {
      hold(inbound, now);
    }
  }

  private void admitAtHome(Inbound inbound, Instant now) {
    String topic = inbound.topic();
    boolean isAtHome = inbound.partition() == partition;
    if (topic.equals(settings.topics().commands())) {
      commands.accept(inbound, now);
    } else if (topic.equals(settings.topics().outcomes())) {
      if (isAtHome) {
        outcomes.accept(inbound, now);
      } else {
        outcomes.acceptStray(inbound, now);
      }
    } else if (isAtHome) {
      executeOlder(commands.takeOlder(inbound.notAfter(now)));
      Optional<ScheduleId> defined = definitions.accept(inbound, now);
      defined.ifPresent(admitted);
      defined.map(commands::takeDefined).ifPresent(this::executeInOrder);
    } else {
      admitStray(ScheduleId.parse(inbound.key().orElseThrow()), inbound, now);
    }
  }

  /**
   * A stray takes effect when it is home, or at once if a record that waits depends on it: a later
   * definition of its schedule or, where schedules of an owner are counted, any.
   */
  private void admitStray(ScheduleId id, Inbound stray, Instant now) {
    boolean isCounted =
        settings.limits().owners().of(id).flatMap(OwnerLimits.Owner::schedules).isPresent();
    if (intake.isRedefined(id)) {
      if (!intake.isCopied(stray)) {
        acceptInPlace(id, stray, now);
      }
    } else if (isCounted && !intake.isEmpty()) {
      acceptInPlace(id, stray, now);
      if (stray.value().isEmpty()) {
        definitions.removeAtHome(id, stray, now);
      } else {
        definitions.restoreAtHome(id);
      }
    } else {
      definitions.acceptStray(stray, now);
    }
  }

  /** What waits for a definition acts before or after this one, as if it were at home. */
  private void acceptInPlace(ScheduleId id, Inbound stray, Instant now) {
    executeOlder(commands.takeOlder(stray.notAfter(now)));
    definitions.acceptInPlace(stray, now);
    admitted.accept(id);
    executeInOrder(commands.takeDefined(id));
  }

  /** Executes commands that come before a definition; those beyond an effort are refused. */
  private void executeOlder(List<Inbound> older) {
    Slice slice = slice();
    long definition = definitionBytes(older);
    for (Inbound command : older) {
      if (slice.isCostly()) {
        commands.refuseCostly(command, nowFor.apply(command.timestamp()));
      } else {
        slice.decode(definition);
        executeWaiting(command);
      }
    }
  }

  /** The bytes of the definition in force that each of the commands of one schedule decodes. */
  private long definitionBytes(List<Inbound> commandsOfOne) {
    return commandsOfOne.stream()
        .findFirst()
        .flatMap(command -> task.load(ScheduleId.parse(command.key().orElseThrow())))
        .map(state -> (long) state.current().snapshot().body().length)
        .orElse(0L);
  }

  /**
   * Executes commands of one schedule up to an effort. If one must be held, all behind it are, and
   * so are those beyond the effort: what is written later waits behind them. These are refused if
   * they find no room, or would be held behind what was written later.
   */
  private void executeInOrder(List<Inbound> waiting) {
    Slice slice = slice();
    long definition = definitionBytes(waiting);
    boolean isOvertaken =
        !waiting.isEmpty() && heldRecords.contains(heldRecords.place(waiting.get(0)));
    boolean isDone = true;
    for (Inbound command : waiting) {
      if (slice.isCostly()) {
        holdCostly(command, isOvertaken);
      } else if (isDone || !heldRecords.add(command)) {
        slice.decode(definition);
        isDone = executeWaiting(command);
      }
    }
  }

  private void holdCostly(Inbound command, boolean isOvertaken) {
    if (isOvertaken || !heldRecords.add(command)) {
      commands.refuseCostly(command, nowFor.apply(command.timestamp()));
    }
  }

  /**
   * @return false when the command is held
   */
  private boolean executeWaiting(Inbound command) {
    Instant now = nowFor.apply(command.timestamp());
    return guard.run(command, now, () -> commands.executeOrHold(command, now));
  }

  /** Sets aside first records of places whose deaths now forbid their admission, even unread. */
  private void setAside(Instant now) {
    long version = deaths.version();
    if (version != deathsVersion) {
      deathsVersion = version;
      for (HeldRecords.Place place : heldRecords.places()) {
        while (heldRecords.first(place).filter(held -> guard.isSetAside(held, now)).isPresent()) {
          heldRecords.removeFirst(place);
        }
      }
    }
  }

  private void retryHeld() {
    Slice slice = slice();
    for (HeldRecords.Place place : heldRecords.ready()) {
      Optional<Inbound> first = Optional.empty();
      do {
        if (slice.isSpent()) {
          return;
        }
        first = heldRecords.first(place);
        first.ifPresentOrElse(slice::take, slice::look);
        first = first.filter(this::isAdmitted);
        first.ifPresent(inbound -> heldRecords.removeFirst(place));
      } while (first.isPresent());
    }
  }

  /**
   * @return false when its schema is still not available
   */
  private boolean isAdmitted(Inbound inbound) {
    Instant now = nowFor.apply(inbound.timestamp());
    return guard.run(
        inbound,
        now,
        () -> {
          try {
            admitHeld(inbound, now);
            return true;
          } catch (SchemaUnavailableException e) {
            return false;
          }
        });
  }

  /**
   * What waits behind a stray definition depends on it: such a stray is admitted in place, and the
   * definition in force is written home after the last record of its place.
   */
  private void admitHeld(Inbound inbound, Instant now) {
    HeldRecords.Place place = heldRecords.place(inbound);
    boolean isStray =
        inbound.topic().equals(settings.topics().schedules()) && inbound.partition() != partition;
    if (isStray && heldRecords.hasMore(place)) {
      acceptInPlace(place.id(), inbound, now);
    } else {
      admitAtHome(inbound, now);
    }
    if (!heldRecords.hasMore(place)) {
      definitions.restoreAtHome(place.id());
    }
  }

  /**
   * @return true when the record is held
   */
  private boolean waits(Inbound inbound, Instant now) {
    HeldRecords.Place place = heldRecords.place(inbound);
    if (!heldRecords.contains(place)) {
      return false;
    }
    if (isDelete(inbound)) {
      refuseHeld(place, inbound.notAfter(now), now);
      return false;
    }
    hold(inbound, now);
    return true;
  }

  /** Refuses what is older than a delete. A newer stray stays, and what waits behind it. */
  private void refuseHeld(HeldRecords.Place place, Inbound delete, Instant now) {
    boolean isNewer = false;
    for (Inbound held : heldRecords.takeAll(place)) {
      isNewer |=
          held.topic().equals(delete.topic())
              && held.partition() != partition
              && held.timestamp().isAfter(delete.timestamp());
      if (!isNewer || !heldRecords.add(held)) {
        deadLetters.refuse(held, overtaken(delete), now);
      }
    }
  }

  /**
   * A user's delete at home. A stray, or a tombstone of the scheduler itself, is compared with the
   * definition in force, which must be read first.
   */
  private boolean isDelete(Inbound inbound) {
    return definesAtHome(inbound)
        && inbound.value().isEmpty()
        && inbound.headers().lastHeader(HeaderNames.STRAY) == null
        && inbound.headers().lastHeader(HeaderNames.ORIGIN) == null;
  }

  private static Problem overtaken(Inbound delete) {
    return Problems.of(
        "",
        ("the schedule was deleted at %s while this record was held, until the schema registry"
                + " gave a schema or commands before it were executed; write the record again if"
                + " you still need it")
            .formatted(delete.revision()));
  }

  private void hold(Inbound inbound, Instant now) {
    if (!heldRecords.add(inbound)) {
      deadLetters.refuse(
          inbound,
          Problems.of(
              "",
              "it must be held until the schema registry gives a schema or commands before it are"
                  + " executed, and "
                  + heldRecords.full(inbound).orElseThrow()
                  + " are held already, which is the limit; write it again later"),
          now);
    }
  }
}
