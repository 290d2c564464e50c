package io.waterclock.topology.scheduler.admit;

import io.waterclock.definition.OwnerLimits;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.PartitionState;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.HeaderBounds;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordKey;
import io.waterclock.topology.scheduler.store.Stores;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;

/**
 * Admits the input records of a partition: definitions, commands, outcomes and strays. Fires
 * nothing. For the task's stream thread.
 *
 * <p>The other classes of this package read the state and write nothing: they return each {@link
 * Effect}. This class has the applier carry it out at once, so what follows sees it.
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

  private static final Logger LOG = SafeLogger.of(Admission.class);

  private final Topics topics;
  private final OwnerLimits owners;
  private final PartitionState partition;
  private final Applier applier;
  private final Effort effort;
  private final RecordGuard guard;
  private final RecordDeaths deaths;
  private final RejectionLog rejections;
  private final DeadLetterSender deadLetters;
  private final HeldRecords heldRecords;
  private final StraysInTransit straysInTransit;
  private final ReorderBuffer buffer;
  private final WaitingCommands waitingCommands;
  private final TakenOffsets offsets;
  private final AdmitDefinition definitions;
  private final AdmitCommand commands;
  private final AdmitOutcome outcomes;
  private final Strays strays;
  private final ForgetCommands forgetCommands;
  private final ForgetRemoved forgetRemoved;
  private final Consumer<ScheduleId> admitted;
  private final UnaryOperator<Instant> nowFor;
  private Optional<Instant> forgottenThrough = Optional.empty();
  private long deathsVersion = -1;
  private boolean isRead;

  /** Since when all inputs are read. */
  private Optional<Instant> readSince = Optional.empty();

  /** The last stray that was sent when all that was read before the ends had acted. */
  private Optional<Long> settlesAfter = Optional.empty();

  private boolean isSettled;

  /**
   * @param nowFor the time at which a record is admitted, from its timestamp
   * @param admitted receives the schedule id of each definition or delete at home
   */
  public Admission(
      TaskContext task, Gate gate, UnaryOperator<Instant> nowFor, Consumer<ScheduleId> admitted) {
    Settings.Channels channels = task.settings().channels();
    ApplicationContext.Incoming incoming = task.application().incoming();
    this.nowFor = nowFor;
    this.partition = task.partition();
    this.topics = channels.topics();
    this.owners = task.settings().limits().owners();
    this.applier = task.applier();
    this.effort = task.encoder().tables().effort();
    this.deaths = incoming.deaths();
    this.rejections = incoming.rejections();
    Stores stores = partition.stores();
    OutgoingRecords records = task.encoder().records();
    AnswerSender answers = new AnswerSender(records);
    this.deadLetters =
        new DeadLetterSender(topics, records, partition.counts(), rejections, answers);
    this.guard = new RecordGuard(deaths, partition.number(), deadLetters);
    Function<String, WaitingMemory.Share> memory =
        place -> incoming.waiting().join(partition.number(), place);
    this.heldRecords =
        new HeldRecords(
            stores.heldRecords(),
            Room.ofPartition(memory.apply("held")),
            channels.wire().schemas(),
            topics.outcomes());
    this.straysInTransit = new StraysInTransit(memory.apply("transit"));
    this.buffer =
        new ReorderBuffer(
            stores.earlier(),
            memory.apply("reordered"),
            topics,
            partition.number(),
            straysInTransit);
    this.waitingCommands =
        new WaitingCommands(
            stores.waitingCommands(),
            Room.ofPartition(memory.apply("commands")),
            gate,
            this::isOnItsWay,
            () ->
                WaitingCommands.patience(
                    channels.partitions() > 1, stores.strays().taken(topics.strays()).isPresent()),
            clock());
    this.offsets = new TakenOffsets(topics.schedules(), stores.strays());
    this.definitions =
        new AdmitDefinition(
            task,
            new LastWrites(stores.strays(), () -> forgottenThrough),
            straysInTransit,
            answers,
            deadLetters,
            this::clock);
    this.commands = new AdmitCommand(task, waitingCommands, answers);
    this.outcomes = new AdmitOutcome(task, deadLetters);
    this.strays = new Strays(task.settings(), stores.strays(), records, deadLetters);
    Duration pass = task.settings().pace().watchdogInterval();
    this.forgetCommands = new ForgetCommands(stores.commands(), pass);
    this.forgetRemoved =
        new ForgetRemoved(stores.strays(), task.settings().retention(), ForgetRemoved.MANY, pass);
    this.admitted = admitted;
    applier.onChange(definitions::changed);
    deaths.assigned();
  }

  /**
   * Notes that the topic may have lost deletes that no task has read.
   *
   * @param through inclusive: those that were written up to then
   */
  public void deletesMayBeGone(Instant through) {
    forgottenThrough = Optional.of(through);
    StrayStore.Forgotten bounds =
        StrayStore.Forgotten.through(partition.stores().strays().forgotten(), through);
    applier.apply(new Effect.ForgetRemoved(List.of(), bounds));
  }

  /** True while a definition of the schedule may be held, or is a stray that this task has sent. */
  private boolean isOnItsWay(ScheduleId id) {
    return heldRecords.contains(id) || straysInTransit.contains(id) || buffer.contains(id);
  }

  /** The time of the partition, by which occurrences are due: at most that of a record. */
  private Instant clock() {
    return nowFor.apply(Instant.MIN);
  }

  /** Admits a record, or sends it to its home partition, or sets it aside. */
  public void admit(Inbound inbound, Instant now) {
    guarded(
        inbound,
        now,
        () -> {
          route(inbound, now);
          return true;
        });
  }

  /**
   * @return what {@code work} returns; true when the record was set aside
   */
  private boolean guarded(Inbound inbound, Instant now, BooleanSupplier work) {
    return isSetAside(inbound, now) || guard.run(inbound, work);
  }

  /** Sets a record aside if its deaths forbid its admission. */
  private boolean isSetAside(Inbound inbound, Instant now) {
    Optional<Effect> aside = guard.setAside(inbound, now);
    aside.ifPresent(applier::apply);
    return aside.isPresent();
  }

  /**
   * Notes how far the task reads.
   *
   * @param toEnds true when it has read all inputs up to recent ends; what it reads otherwise waits
   */
  public void reads(boolean toEnds) {
    buffer.reads(toEnds);
    isRead = toEnds;
    if (!toEnds) {
      settlesAfter = Optional.empty();
      isSettled = false;
      readSince = Optional.empty();
    }
  }

  /**
   * Admits records that wait no longer: for earlier ones, for their schema, or for their schedule.
   */
  public void retry(Instant now) {
    rejections.logCount();
    straysInTransit.forget(now);
    if (isRead && !buffer.isEmpty()) {
      Slice slice = slice();
      buffer.release(
          Integer.MAX_VALUE,
          released -> {
            slice.take(released.inbound());
            admitReleased(released);
          },
          slice::isSpent);
    }
    settle();
    if (!heldRecords.isEmpty()) {
      setAside(now);
      retryHeld();
    }
    if (isRead) {
      executeDue(now);
    }
  }

  /** A command waits from when the inputs are read: what defines its schedule may be among them. */
  private void executeDue(Instant now) {
    if (readSince.isEmpty()) {
      readSince = Optional.of(now);
    }
    if (!waitingCommands.isOver(readSince.get(), now)) {
      return;
    }
    Slice slice = slice();
    List<Inbound> due;
    do {
      due = released(waitingCommands.takeDue(now, TAKEN_AT_ONCE));
      for (Inbound command : due) {
        slice.take(command);
        boolean isBehindItsSchedule = heldRecords.contains(heldRecords.place(command));
        if (!isBehindItsSchedule || !isHeld(command)) {
          executeWaiting(command);
        }
      }
    } while (!due.isEmpty() && !slice.isSpent());
  }

  /** Deletes from their store what waits no longer. */
  private List<Inbound> released(List<Released> all) {
    all.forEach(released -> applier.apply(released.effect()));
    return all.stream().map(Released::inbound).toList();
  }

  /**
   * Holds a record behind the others of its place.
   *
   * @return false when there is no room
   */
  private boolean isHeld(Inbound inbound) {
    Optional<Effect> hold = heldRecords.add(inbound);
    hold.ifPresent(applier::apply);
    return hold.isPresent();
  }

  private Slice slice() {
    return new Slice(effort);
  }

  /** Strays may come all the time: only those count that came before. */
  private void settle() {
    if (isRead && settlesAfter.isEmpty() && !buffer.holdsReadBefore()) {
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
    return buffer
        .first()
        .map(at -> at.minusMillis(1))
        .filter(readThrough::isAfter)
        .orElse(readThrough);
  }

  /** Forgets executed commands and removed schedules, a slice at a time. */
  public void forget(Instant now) {
    applier.apply(forgetCommands.run(now));
    List<Effect> forget = forgetRemoved.run(now);
    if (!forget.isEmpty()) {
      save(); // what was removed is remembered until what is taken is stored
      applier.apply(forget);
    }
  }

  /** Stores the admitted offsets of the schedules topic. */
  public void save() {
    applier.apply(offsets.save());
  }

  /** Ends with its task. */
  public void stop() {
    heldRecords.leave();
    buffer.leave();
    waitingCommands.leave();
    straysInTransit.leave();
  }

  /** How many records wait for their schema. */
  public int held() {
    return heldRecords.size();
  }

  private void route(Inbound inbound, Instant now) {
    String topic = inbound.topic();
    if (topic.equals(topics.schedules()) && !offsets.takesFirst(inbound)) {
      return;
    }
    Optional<Problem> headers = HeaderBounds.problem(inbound.headers());
    if (headers.isPresent()) {
      applier.apply(deadLetters.refuse(inbound, headers.get(), now));
    } else if (topic.equals(topics.strays())) {
      Strays.Arrived arrived = strays.take(inbound, now);
      applier.apply(arrived.effects());
      arrived.stray().ifPresent(stray -> admitInOrder(stray, now));
    } else if (strays.isStray(inbound)) {
      applier.apply(strays.send(inbound, now));
    } else {
      admitInOrder(inbound, now);
    }
  }

  /** Admits a record, or has it wait for those that were written earlier. */
  private void admitInOrder(Inbound inbound, Instant now) {
    boolean isAwaited =
        definesAtHome(inbound)
            && HeaderNames.text(inbound.headers(), HeaderNames.STRAY)
                .filter(place -> straysInTransit.arrived(inbound.keyText(), place))
                .isPresent();
    if (!waitsForEarlier(inbound, isAwaited)) {
      admitOrHold(inbound, now);
      return;
    }
    if (buffer.isFull()) {
      makeRoom();
    }
    applier.apply(buffer.add(inbound, now));
  }

  /**
   * Admits at least one record that waits, and a slice of them at most: when large records come and
   * small ones act, the bound in bytes is exceeded until these have acted.
   */
  private void makeRoom() {
    LOG.debug("More records wait than the bound allows: the first ones act");
    Slice slice = slice();
    Consumer<Released> admit =
        released -> {
          slice.take(released.inbound());
          admitReleased(released);
        };
    do {
      if (buffer.release(1, admit, () -> false) == 0) {
        buffer.releaseFirst(admit);
      }
    } while (buffer.isFull() && !slice.isSpent());
  }

  /**
   * True while earlier records may be unread, or wait. A stray in transit takes its place in the
   * order of the home partition: a definition, there or on its way there, does not wait for it.
   *
   * @param isAwaited true for a stray that was in transit
   */
  private boolean waitsForEarlier(Inbound inbound, boolean isAwaited) {
    if (isRead && buffer.isEmpty() && straysInTransit.isEmpty()) {
      return false;
    }
    Optional<ScheduleId> id = RecordKey.of(inbound).good();
    if (id.isEmpty()) {
      return false;
    }
    if (isAwaited) {
      return buffer.isRedefined(id.get());
    }
    if (!isRead) {
      return true;
    }
    if (definesAtHome(inbound)) {
      return buffer.contains(id.get());
    }
    return inbound.topic().equals(topics.schedules())
        ? buffer.orders(id.get())
        : buffer.contains(id.get()) || straysInTransit.contains(id.get());
  }

  private boolean definesAtHome(Inbound inbound) {
    return inbound.partition() == partition.number() && inbound.topic().equals(topics.schedules());
  }

  private void admitReleased(Released released) {
    applier.apply(released.effect());
    Inbound inbound = released.inbound();
    Instant now = nowFor.apply(inbound.timestamp());
    guarded(
        inbound,
        now,
        () -> {
          admitOrHold(inbound, now);
          return true;
        });
    RecordKey.of(inbound)
        .good()
        .filter(id -> definesAtHome(inbound) && !buffer.isRedefined(id))
        .ifPresent(this::restoreAtHome);
  }

  private void restoreAtHome(ScheduleId id) {
    definitions.restoreAtHome(id).ifPresent(applier::apply);
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
    boolean isAtHome = inbound.partition() == partition.number();
    if (topic.equals(topics.commands())) {
      applier.apply(commands.accept(inbound, now));
    } else if (topic.equals(topics.outcomes())) {
      applier.apply(isAtHome ? outcomes.accept(inbound, now) : outcomes.acceptStray(inbound, now));
    } else if (isAtHome) {
      executeOlder(inbound.notAfter(now));
      applier.apply(definitions.accept(inbound, now));
      RecordKey.of(inbound).good().ifPresent(this::defined);
    } else {
      admitStray(ScheduleId.parse(inbound.key().orElseThrow()), inbound, now);
    }
  }

  /**
   * A stray takes effect when it is home, or at once if a record that waits depends on it: a later
   * definition of its schedule or, where schedules of an owner are counted, any.
   */
  private void admitStray(ScheduleId id, Inbound stray, Instant now) {
    boolean isCounted = owners.of(id).flatMap(OwnerLimits.Owner::schedules).isPresent();
    if (buffer.isRedefined(id)) {
      if (!buffer.isCopied(stray)) {
        acceptInPlace(id, stray, now);
      }
    } else if (isCounted && !buffer.isEmpty()) {
      acceptInPlace(id, stray, now);
      if (stray.value().isEmpty()) {
        definitions.removeAtHome(id, stray, now).ifPresent(applier::apply);
      } else {
        restoreAtHome(id);
      }
    } else {
      applier.apply(definitions.acceptStray(stray, now));
    }
  }

  /** What waits for a definition acts before or after this one, as if it were at home. */
  private void acceptInPlace(ScheduleId id, Inbound stray, Instant now) {
    executeOlder(stray.notAfter(now));
    applier.apply(definitions.acceptInPlace(stray, now));
    defined(id);
  }

  /** A definition or a delete was admitted: commands that wait for the schedule are executed. */
  private void defined(ScheduleId id) {
    admitted.accept(id);
    if (waitingCommands.contains(id) && partition.load(id).isPresent()) {
      executeInOrder(released(waitingCommands.take(id)));
    }
  }

  /** Executes commands that come before a definition; those beyond an effort are refused. */
  private void executeOlder(Inbound definition) {
    Optional<ScheduleId> id =
        waitingCommands.isEmpty() ? Optional.empty() : RecordKey.of(definition).good();
    if (id.isEmpty()) {
      return;
    }
    List<Inbound> older = released(waitingCommands.takeOlder(id.get(), definition.timestamp()));
    Slice slice = slice();
    long bytes = definitionBytes(older);
    for (Inbound command : older) {
      if (slice.isCostly()) {
        refuseCostly(command);
      } else {
        slice.decode(bytes);
        executeWaiting(command);
      }
    }
  }

  /** The bytes of the definition in force that each of the commands of one schedule decodes. */
  private long definitionBytes(List<Inbound> commandsOfOne) {
    return commandsOfOne.stream()
        .findFirst()
        .flatMap(command -> partition.load(ScheduleId.parse(command.key().orElseThrow())))
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
      } else if (isDone || !isHeld(command)) {
        slice.decode(definition);
        isDone = executeWaiting(command);
      }
    }
  }

  private void holdCostly(Inbound command, boolean isOvertaken) {
    if (isOvertaken || !isHeld(command)) {
      refuseCostly(command);
    }
  }

  private void refuseCostly(Inbound command) {
    applier.apply(commands.refuseCostly(command, nowFor.apply(command.timestamp())));
  }

  /**
   * Executes or refuses a command that has waited. Holds it if its schema, which was available
   * before a restart, is no longer.
   *
   * @return false when the command is held
   */
  private boolean executeWaiting(Inbound command) {
    Instant now = nowFor.apply(command.timestamp());
    return guarded(
        command,
        now,
        () -> {
          try {
            applier.apply(commands.execute(command, now));
          } catch (SchemaUnavailableException e) {
            if (isHeld(command)) {
              return false;
            }
            applier.apply(commands.refuseUnread(command, now));
          }
          return true;
        });
  }

  /** Sets aside first records of places whose deaths now forbid their admission, even unread. */
  private void setAside(Instant now) {
    long version = deaths.version();
    if (version != deathsVersion) {
      deathsVersion = version;
      for (HeldRecords.Place place : heldRecords.places()) {
        while (heldRecords.first(place).filter(held -> isSetAside(held, now)).isPresent()) {
          applier.apply(heldRecords.removeFirst(place));
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
        first.ifPresent(inbound -> applier.apply(heldRecords.removeFirst(place)));
      } while (first.isPresent());
    }
  }

  /**
   * @return false when its schema is still not available
   */
  private boolean isAdmitted(Inbound inbound) {
    Instant now = nowFor.apply(inbound.timestamp());
    return guarded(
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
        inbound.topic().equals(topics.schedules()) && inbound.partition() != partition.number();
    if (isStray && heldRecords.hasMore(place)) {
      acceptInPlace(place.id(), inbound, now);
    } else {
      admitAtHome(inbound, now);
    }
    if (!heldRecords.hasMore(place)) {
      restoreAtHome(place.id());
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
    List<Inbound> all = new ArrayList<>();
    for (Optional<Inbound> first = heldRecords.first(place);
        first.isPresent();
        first = heldRecords.first(place)) {
      all.add(first.get());
      applier.apply(heldRecords.removeFirst(place));
    }
    boolean isNewer = false;
    for (Inbound held : all) {
      isNewer |=
          held.topic().equals(delete.topic())
              && held.partition() != partition.number()
              && held.timestamp().isAfter(delete.timestamp());
      if (!isNewer || !isHeld(held)) {
        applier.apply(deadLetters.refuse(held, overtaken(delete), now));
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
    if (!isHeld(inbound)) {
      Problem full =
          Problems.of(
              "",
              "it must be held until the schema registry gives a schema or commands before it are"
                  + " executed, and "
                  + heldRecords.full(inbound).orElseThrow()
                  + " are held already, which is the limit; write it again later");
      applier.apply(deadLetters.refuse(inbound, full, now));
    }
  }
}
