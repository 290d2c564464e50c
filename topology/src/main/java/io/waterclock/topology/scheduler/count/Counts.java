package io.waterclock.topology.scheduler.count;

import io.waterclock.decide.Decision;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.State;
import io.waterclock.topology.scheduler.input.InputTopic;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The counts of a task since its assignment, committed or not, for its watermarks and metrics. For
 * the task's stream thread only, readers included. Counting a fire takes about 50 ns and allocates
 * nothing.
 */
public final class Counts {
  private final Map<Cause, Lateness> fired = new EnumMap<>(Cause.class);
  private final Tally<MissedReason> missed = new Tally<>(MissedReason.class);
  private final Tally<InputTopic> accepted = new Tally<>(InputTopic.class);
  private final Tally<InputTopic> rejected = new Tally<>(InputTopic.class);
  private final Tally<OutcomeState> outcomes = new Tally<>(OutcomeState.class);
  private final StateCounts population = new StateCounts();
  private final MissedLately missedLately = new MissedLately();
  private final Lately<String> rejectedLately = new Lately<>();
  private long faulted;
  private long outcomesIgnored;
  private long setAside;
  private final Tally<WatchdogAction> watchdog = new Tally<>(WatchdogAction.class);
  private long checked;
  private final Map<String, OfOwner> ofOwners = new TreeMap<>();

  private static final class OfOwner {
    private long bytes;
    private long postponed;
  }

  /** Counts that are all zero, without named owners. */
  public Counts() {
    this(List.of());
  }

  /**
   * Counts that are all zero.
   *
   * @param owners the names of the owners that have limits
   */
  public Counts(List<String> owners) {
    ofOwners.put(OwnerLimits.ALL_OTHERS, new OfOwner());
    owners.forEach(owner -> ofOwners.put(owner, new OfOwner()));
    for (Cause cause : Cause.values()) {
      fired.put(cause, new Lateness());
    }
  }

  /** A decision's records were sent. */
  public void emitted(ScheduleId id, Decision decision, Instant now) {
    long nowMs = now.toEpochMilli();
    for (FirePlan fire : decision.fires()) {
      fired(fire.cause()).add(nowMs - fire.occurrence().due().toEpochMilli());
    }
    for (MissedRange range : decision.missed()) {
      missed.add(range.reason(), range.count());
      missedLately.add(id, population.owner(id, decision.state()), range, now);
    }
  }

  /** A valid record was taken in. */
  public void accepted(InputTopic input) {
    accepted.add(input, 1);
  }

  /** An invalid record was refused. */
  public void rejected(InputTopic input) {
    rejected.add(input, 1);
  }

  /**
   * A definition was refused.
   *
   * @param state of the schedule that it does not replace
   */
  public void rejectedDefinition(ScheduleId id, Optional<ScheduleState> state, Instant now) {
    rejected(InputTopic.SCHEDULES);
    rejectedLately.add(population.owner(id, state), 1, now);
  }

  /** A record was set aside, after deaths of threads or by an administrator. */
  public void setAside() {
    setAside++;
  }

  /**
   * Fires of an owner were sent.
   *
   * @param bytes of all
   */
  public void sent(String owner, long bytes) {
    of(owner).bytes += bytes;
  }

  /** A due schedule waits, since the fires of its owner have used up their bytes. */
  public void postponed(String owner) {
    of(owner).postponed++;
  }

  private OfOwner of(String owner) {
    return Objects.requireNonNull(ofOwners.get(owner));
  }

  public Set<String> owners() {
    return ofOwners.keySet();
  }

  public long fireBytes(String owner) {
    return of(owner).bytes;
  }

  /** How often a schedule of an owner had to wait. */
  public long postponedOf(String owner) {
    return of(owner).postponed;
  }

  /** A valid outcome was read, of any fire. */
  public void reported(OutcomeState outcome) {
    outcomes.add(outcome, 1);
  }

  /** An outcome changed nothing. */
  public void ignoredOutcome() {
    outcomesIgnored++;
  }

  /** The rebuild after the assignment has reached a schedule. */
  public void met(ScheduleState state) {
    population.met(state);
  }

  /** The rebuild has reached every schedule. */
  public void allMet() {
    population.allMet();
  }

  /** The state of a schedule has changed. */
  public void changed(
      ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after) {
    population.changed(id, before, after);
    if (after.flatMap(ScheduleState::fault).isPresent()
        && before.flatMap(ScheduleState::fault).isEmpty()) {
      faulted++;
    }
  }

  public long fired() {
    return fired.values().stream().mapToLong(Lateness::count).sum();
  }

  public long missed() {
    return missed.sum();
  }

  public long rejected() {
    return rejected.sum();
  }

  public Lateness fired(Cause cause) {
    return Objects.requireNonNull(fired.get(cause));
  }

  /** How many occurrences were missed for a reason; a lower bound if a range's count is one. */
  public long missed(MissedReason reason) {
    return missed.of(reason);
  }

  /** The numbers of recently missed occurrences, by schedule. */
  public Map<ScheduleId, Long> missedLately(Instant now) {
    return missedLately.at(now);
  }

  /** The numbers of recently missed occurrences, by owner; at most some hundred owners. */
  public Map<String, Long> missedLatelyByOwner(Instant now) {
    return missedLately.byOwner(now);
  }

  /** The numbers of definitions rejected lately, by owner; as {@link #missedLatelyByOwner}. */
  public Map<String, Long> rejectedLatelyByOwner(Instant now) {
    return rejectedLately.at(now);
  }

  public long acceptedFrom(InputTopic input) {
    return accepted.of(input);
  }

  public long rejectedFrom(InputTopic input) {
    return rejected.of(input);
  }

  /** How many outcomes of a state were read, including ignored ones. */
  public long outcomes(OutcomeState state) {
    return outcomes.of(state);
  }

  /** How many outcomes changed nothing. */
  public long outcomesIgnored() {
    return outcomesIgnored;
  }

  /** How many records were set aside unread. */
  public long recordsSetAside() {
    return setAside;
  }

  /** How often a schedule became FAULTED. */
  public long faulted() {
    return faulted;
  }

  /** How many schedules the watchdog has checked. */
  public long checked() {
    return checked;
  }

  /** The watchdog has checked some schedules. */
  public void checked(long schedules) {
    checked += schedules;
  }

  public void did(WatchdogAction action) {
    watchdog.add(action, 1);
  }

  /** How often the watchdog has done an action. */
  public long watchdog(WatchdogAction action) {
    return watchdog.of(action);
  }

  /** How many queue entries the watchdog has created, replaced or removed. */
  public long repaired() {
    return watchdog.of(WatchdogAction.ENTRY_CREATED)
        + watchdog.of(WatchdogAction.ENTRY_REQUEUED)
        + watchdog.of(WatchdogAction.ENTRY_REMOVED);
  }

  /** The number of schedules; during the rebuild, of those reached so far. */
  public long schedules() {
    return population.size();
  }

  /** The number of schedules in a state; during the rebuild, of those reached so far. */
  public long schedules(State life) {
    return population.of(life);
  }

  /**
   * The number of schedules whose fires fail, by owner; during the rebuild, of those reached so
   * far. At most some hundred owners: one label stands for all others.
   */
  public Map<String, Long> failing() {
    return population.failing();
  }

  /** The number of schedules of which an expectation is overdue, by owner; as {@link #failing}. */
  public Map<String, Long> overdue() {
    return population.overdue();
  }
}
