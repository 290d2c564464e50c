package io.waterclock.topology.audit;

import io.waterclock.occurrences.InvalidTriggerException;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Proves {@code occurrences = fired + missed} for each revision, by naming its occurrences anew and
 * comparing them with the outcomes that were written: never from counts.
 *
 * <p>Is given the records of a topic in their order, those of different topics in any. Keeps twelve
 * bytes for a fire. Not thread-safe.
 */
public final class Audit {
  private static final String MAY_HAVE_GONE_ON =
      "its definition says \"enabled\": false, and nothing tells whether a command made it go on";

  private final SortedMap<String, Ledger> ledgers = new TreeMap<>();

  /** A revision of which nothing can be proved, and why. */
  public record Unproven(String scheduleId, String revision, String reason) {}

  /** What was found about one schedule. */
  public record Result(List<Account> accounts, List<Unproven> unproven) {}

  /** A record of the topic revisions. */
  public void add(Revision revision) {
    ledger(revision.getScheduleId()).add(revision);
  }

  /**
   * A revision in force as far as its definition tells it: nothing is known of it before it is said
   * to have begun.
   */
  public void addInForce(Revision revision) {
    ledger(revision.getScheduleId()).addInForce(revision);
  }

  /** A record of the topic fires. */
  public void add(Fire fire) {
    ledger(fire.getScheduleId()).add(fire);
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
   * The status of each schedule whose definition in force is not known, since its record has left
   * the topic revisions. That it was in force is sure from the status' {@code since} on.
   */
  public List<ScheduleStatus> unknownInForce() {
    return ledgers.values().stream().flatMap(ledger -> ledger.unknownInForce().stream()).toList();
  }

  /** The schedules that something is known of. */
  public SortedSet<String> scheduleIds() {
    return new TreeSet<>(ledgers.keySet());
  }

  /**
   * The account of one schedule.
   *
   * @param window the time for which its records are complete
   */
  public Result of(String scheduleId, Window window) {
    Ledger ledger = ledgers.getOrDefault(scheduleId, new Ledger());
    List<Account> accounts = new ArrayList<>();
    List<Unproven> unproven = new ArrayList<>();
    for (String revision : ledger.unknown()) {
      unproven.add(new Unproven(scheduleId, revision, "its record in the topic revisions is gone"));
    }
    for (List<Revision> life : ledger.lives()) {
      accounts.addAll(ofLife(scheduleId, life, ledger, window, unproven));
    }
    return new Result(accounts, unproven);
  }

  private static List<Account> ofLife(
      String id, List<Revision> life, Ledger ledger, Window window, List<Unproven> unproven) {
    List<Ownership> owners = new ArrayList<>();
    for (int i = 0; i < life.size(); i++) {
      Revision revision = life.get(i);
      Optional<Revision> successor =
          i + 1 < life.size() ? Optional.of(life.get(i + 1)) : Optional.empty();
      try {
        owners.add(Ownership.of(revision, successor));
      } catch (InvalidTriggerException e) {
        unproven.add(new Unproven(id, revision.getRevision(), "cannot be read: " + e.getMessage()));
      }
    }
    List<Sweep> sweeps = new ArrayList<>();
    for (Ownership owner : owners) {
      Revision revision = owner.revision();
      if (ledger.mayHaveGoneOn(revision, window)
          && owner.occursIn(owner.decided(window, Optional.empty()))) {
        unproven.add(new Unproven(id, revision.getRevision(), MAY_HAVE_GONE_ON));
      }
      sweeps.add(
          new Sweep(
              id,
              owner,
              ledger.known(revision, window),
              owner.decided(window, ledger.heldSince(revision, window)),
              ledger.knownHeldSince(window)));
    }
    for (int i = 0; i < owners.size(); i++) {
      String name = owners.get(i).revision().getRevision();
      ledger.missed(name).forEach(sweeps.get(i)::missed);
      for (Fires.Fired fire : ledger.fires(name)) {
        sweeps.get(owner(owners, i, fire.at())).fired(fire);
      }
    }
    return sweeps.stream().map(Sweep::account).toList();
  }

  /**
   * Whose occurrence a fire stands for: a fire that collapses may stand for an older revision's.
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
