package io.waterclock.audit;

import io.waterclock.occurrences.Tzdb;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Proves {@code occurrences = fired + missed} for each revision, by computing its occurrences and
 * comparing them with the written outcomes; it never relies on written counts.
 *
 * <p>The caller adds the records of each topic in order, and the topic schedules after all other
 * topics. The order of the other topics does not matter. Keeps sixteen bytes for each fire. Not
 * thread-safe.
 */
public final class Audit {
  private static final String MAY_BE_RESUMED =
      "its definition says \"enabled\": false, and it is unknown whether a command resumed it";

  private static final String NEVER_RESUMED =
      "fired, though its definition says \"enabled\": false and no later command resumed it";

  private static final String MAY_BE_REFUSED =
      "this definition was read, and did not take effect; the status that would show whether it was"
          + " refused is gone";

  private final String tzdb;
  private final SortedMap<String, Ledger> ledgers = new TreeMap<>();
  private Instant commandsAfter = Instant.MAX;

  /** An audit with the time-zone data of this JVM. */
  public Audit() {
    this(Tzdb.version());
  }

  /**
   * @param tzdb the version of the time-zone data that the audit uses
   */
  public Audit(String tzdb) {
    this.tzdb = tzdb;
  }

  /** A revision that the audit cannot check, and the reason. */
  public record Unproven(String scheduleId, String revision, String reason) {}

  /**
   * The result for one schedule.
   *
   * @param ignored about definitions that never became revisions
   */
  public record Result(List<Account> accounts, List<Finding> ignored, List<Unproven> unproven) {}

  /** A record of the topic revisions. */
  public void add(Revision revision) {
    ledger(revision.getScheduleId()).add(revision);
  }

  /**
   * A revision in force, reconstructed from its definition. Its time before its recorded start is
   * unknown.
   */
  public void addInForce(Revision revision) {
    ledger(revision.getScheduleId()).addInForce(revision);
  }

  /** A record of the topic fires, due at any time. */
  public void add(Fire fire) {
    ledger(fire.getScheduleId()).add(fire, Instant.MAX);
  }

  /**
   * A record of the topic fires.
   *
   * @param readAt by a clock other than the scheduler's: a fire that is due later is too early
   */
  public void add(Fire fire, Instant readAt) {
    ledger(fire.getScheduleId()).add(fire, readAt.plus(Stop.SLACK));
  }

  /**
   * A fire that waits for a limit: it is decided, and neither in the topic fires nor missed.
   *
   * @param readAt as of {@link #add(Fire, Instant)}
   */
  public void addWaiting(Fire fire, Instant readAt) {
    add(fire, readAt);
    ledger(fire.getScheduleId()).addWaiting(fire);
  }

  /** A record of the topic missed. */
  public void add(Missed range) {
    ledger(range.getScheduleId()).add(range);
  }

  /** A record of the topic status. */
  public void add(ScheduleStatus status) {
    ledger(status.getScheduleId()).add(status);
  }

  /** A tombstone in the topic status. */
  public void statusDeleted(String scheduleId) {
    ledger(scheduleId).statusDeleted();
  }

  /**
   * The status of each schedule whose revision in force has left the topic revisions. The revision
   * was in force from the status' {@code since} on.
   */
  public List<ScheduleStatus> unknownInForce() {
    return ledgers.values().stream().flatMap(ledger -> ledger.unknownInForce().stream()).toList();
  }

  /** A record of the topic schedules; after all records of other topics. */
  public void add(Written written) {
    ledger(written.scheduleId()).add(written);
  }

  /**
   * A record of the topic schedules with which the scheduler repeats what is in force, because an
   * older record came after it.
   */
  public void restated(String scheduleId) {
    Optional.ofNullable(ledgers.get(scheduleId)).ifPresent(Ledger::restated);
  }

  /** A Resume in the topic commands. */
  public void resumed(String scheduleId, Instant at) {
    ledger(scheduleId).resumed(at);
  }

  /**
   * Sets the start of the period for which the topic commands is complete.
   *
   * @param after exclusive
   */
  public void commandsKnown(Instant after) {
    commandsAfter = after;
  }

  /** The schedules of which there is any record but commands and deletes. */
  public SortedSet<String> scheduleIds() {
    SortedSet<String> ids = new TreeSet<>();
    ledgers.forEach(
        (id, ledger) -> {
          if (ledger.isOfSchedule()) {
            ids.add(id);
          }
        });
    return ids;
  }

  /**
   * The instant after which occurrences of a schedule may be undecided, because it was held at the
   * end of the window; empty if it was not held.
   */
  public Optional<Instant> heldSince(String scheduleId, Window window) {
    Ledger ledger = ledgers.getOrDefault(scheduleId, new Ledger());
    return ledger.lives().stream()
        .flatMap(List::stream)
        .flatMap(revision -> ledger.heldSince(revision, window).stream())
        .min(Comparator.naturalOrder());
  }

  /** The account of one schedule whose scheduler used the time-zone data of this audit. */
  public Result of(String scheduleId, Window window) {
    return of(scheduleId, window, Set.of());
  }

  /**
   * The account of one schedule.
   *
   * @param window the time for which its records are complete
   * @param tzdbs the versions of the time-zone data of the scheduler that has its partition now
   */
  public Result of(String scheduleId, Window window, Set<String> tzdbs) {
    Ledger ledger = ledgers.getOrDefault(scheduleId, new Ledger());
    List<Unproven> unproven = new ArrayList<>();
    for (String revision : ledger.unknown()) {
      unproven.add(new Unproven(scheduleId, revision, "its record in the topic revisions is gone"));
    }
    List<Sweep> sweeps = new ArrayList<>();
    for (List<Revision> life : ledger.lives()) {
      sweeps.addAll(ofLife(life, ledger, window, unproven));
    }
    Doubles.find(sweeps);
    List<Account> accounts = new ArrayList<>();
    for (Sweep sweep : sweeps) {
      Account account = sweep.account();
      Set<String> others = ledger.tzdbs(sweep.ownership().revision(), tzdbs);
      others.removeAll(Set.of(tzdb, ""));
      boolean isDoubtful =
          !others.isEmpty()
              && !sweep.byZoneRules().isEmpty()
              && sweep.ownership().dependsOnZoneRules();
      accounts.add(isDoubtful ? without(sweep.byZoneRules(), account) : account);
      if (isDoubtful) {
        unproven.add(new Unproven(scheduleId, sweep.name(), otherRules(sweep, others)));
      }
    }
    ledger
        .perhapsRefused()
        .map(written -> new Unproven(scheduleId, written.revision(), MAY_BE_REFUSED))
        .ifPresent(unproven::add);
    List<Finding> ignored = ledger.ignored().map(Audit::ignored).stream().toList();
    return new Result(accounts, ignored, unproven);
  }

  private static Account without(List<Finding> doubtful, Account account) {
    return new Account(
        account.scheduleId(),
        account.revision(),
        account.after(),
        account.through(),
        account.occurrences(),
        account.fired(),
        account.waiting(),
        account.missed(),
        account.findings().stream().filter(finding -> !doubtful.contains(finding)).toList());
  }

  private String otherRules(Sweep sweep, Set<String> others) {
    Finding first = sweep.byZoneRules().get(0);
    return ("it was decided with the time-zone data %s, and this audit uses %s, which may"
            + " explain: %s%s%s %s")
        .formatted(
            String.join(", ", others),
            tzdb,
            sweep.byZoneRules().size(),
            sweep.byZoneRules().size() == 1 ? " finding, " : " findings, the first ",
            first.kind(),
            first.first());
  }

  private static Finding ignored(Written written) {
    return new Finding(
        Finding.Kind.IGNORED,
        written.scheduleId(),
        written.revision(),
        written.at(),
        written.at(),
        new Count(0, false),
        (written.schedule().isPresent() ? "this definition" : "this delete")
            + " was read, and neither took effect nor was refused");
  }

  private List<Sweep> ofLife(
      List<Revision> life, Ledger ledger, Window window, List<Unproven> unproven) {
    List<Ownership> owners = new ArrayList<>();
    List<List<Stop>> stops = new ArrayList<>();
    for (int i = 0; i < life.size(); i++) {
      Revision revision = life.get(i);
      Optional<Revision> successor =
          i + 1 < life.size() ? Optional.of(life.get(i + 1)) : Optional.empty();
      Optional<String> missing = Ownership.missing(revision);
      if (missing.isPresent()) {
        unproven.add(unproven(revision, "cannot be read: it has no " + missing.get()));
        continue;
      }
      try {
        owners.add(Ownership.of(revision, successor));
        stops.add(ledger.stops(revision, successor));
      } catch (InvalidTriggerException e) {
        unproven.add(unproven(revision, "cannot be read: " + e.getMessage()));
      }
    }
    List<Sweep> sweeps = new ArrayList<>();
    for (int i = 0; i < owners.size(); i++) {
      Ownership owner = owners.get(i);
      Revision revision = owner.revision();
      if (ledger.mayBeResumed(revision, window)
          && owner.occursIn(owner.decided(window, Optional.empty()))) {
        unproven.add(unproven(revision, MAY_BE_RESUMED));
      }
      sweeps.add(
          new Sweep(
              owner,
              ledger.known(revision, window),
              owner.decided(window, ledger.heldSince(revision, window)),
              ledger.knownHeldSince(window),
              stops.get(i)));
    }
    Reasons reasons = new Reasons(ledger, life, window);
    for (int i = 0; i < owners.size(); i++) {
      String name = owners.get(i).revision().getRevision();
      boolean hasLimit = owners.get(i).revision().getSchedule().getLimit() != null;
      for (Missed range : ledger.missed(name)) {
        boolean hasWaited = hasLimit && Ledger.mayHaveWaited(range);
        sweeps.get(hasWaited ? owner(owners, i, range.getFirst()) : i).missed(range);
        examine(range, reasons, owners.get(i), sweeps.get(i));
      }
      for (Fires.Fired fire : ledger.fires(name)) {
        sweeps.get(owner(owners, i, fire.at())).fired(fire, ledger.waits(name, fire.at()));
      }
      besideTheAccount(ledger, owners.get(i), sweeps.get(i));
    }
    return sweeps;
  }

  private static void examine(Missed range, Reasons reasons, Ownership owner, Sweep sweep) {
    reasons
        .problem(range, owner.revision().getSchedule())
        .ifPresent(
            problem ->
                sweep.found(Finding.Kind.REASON, range.getFirst(), range.getLast(), problem));
  }

  private static Unproven unproven(Revision revision, String reason) {
    return new Unproven(revision.getScheduleId(), revision.getRevision(), reason);
  }

  /** Adds the findings that do not depend on the other outcomes. */
  private void besideTheAccount(Ledger ledger, Ownership owner, Sweep sweep) {
    Revision revision = owner.revision();
    ledger
        .early(revision.getRevision())
        .ifPresent(
            fires ->
                sweep.found(
                    Finding.Kind.EARLY, fires, "fired up to " + fires.by() + " before it was due"));
    for (Fires.Fired fire : ledger.backfilled(revision.getRevision())) {
      if (!owner.mayBackfill(fire.at())) {
        sweep.found(
            Finding.Kind.STRAY, fire.at(), fire.at(), "backfilled, but no occurrence of it");
      }
    }
    if (ledger.isHeldForGood(revision, commandsAfter)) {
      for (Fires.Fired fire : ledger.fires(revision.getRevision())) {
        sweep.found(Finding.Kind.STRAY, fire.at(), fire.at(), NEVER_RESUMED);
      }
    }
  }

  /**
   * The index of the revision that owns a fire's occurrence. A collapsed fire may represent an
   * occurrence of an older revision; so may what has become of one that waited for a limit.
   */
  private static int owner(List<Ownership> owners, int own, Instant at) {
    for (int i = own; i >= 0; i--) {
      if (owners.get(i).owns(at)) {
        return i;
      }
    }
    return own;
  }

  private Ledger ledger(String scheduleId) {
    return ledgers.computeIfAbsent(scheduleId, id -> new Ledger());
  }
}
