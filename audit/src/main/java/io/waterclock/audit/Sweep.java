package io.waterclock.audit;

import io.waterclock.occurrences.core.Count;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Processes the outcomes of one revision's occurrences in chronological order, and checks that each
 * piece starts where the previous one ended.
 *
 * <p>Idea: the trigger gives the next occurrence after the end of a piece. Occurrences between it
 * and the start of the next piece are a hole; occurrences in both pieces are doubles. So a long
 * range costs two searches, and the audit does not rely on written counts. A SKIPPED range may lie
 * within a missed one, which then does not count it.
 */
final class Sweep {
  private static final String WAITING = "waiting";

  /** Outcomes of one kind for consecutive occurrences. */
  private record Piece(
      Instant first,
      Instant last,
      String kind,
      boolean skipped,
      Optional<Missed> range,
      Optional<Instant> firedAt) {
    boolean isFire() {
      return firedAt.isPresent();
    }

    boolean isWaiting() {
      return kind.equals(WAITING);
    }
  }

  private static final Comparator<Piece> IN_ORDER =
      Comparator.comparing(Piece::first).thenComparing(Piece::last, Comparator.reverseOrder());

  private final Ownership ownership;
  private final Window known;
  private final Window window;
  private final Optional<Instant> heldSince;
  private final List<Stop> stops;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Finding> byZoneRules = new ArrayList<>();
  private final Map<Stop, WrongFires> overruns = new LinkedHashMap<>();
  private final List<Piece> pieces = new ArrayList<>();
  private Optional<Piece> widest = Optional.empty();
  private long nested;
  private long fired;
  private long waiting;
  private Count missed = new Count(0, true);

  /**
   * @param known in which all outcomes of all revisions are known
   * @param window the part of it in which those of this revision must have been written
   * @param heldSince since when the scheduler knew that the schedule is held, until the end of what
   *     is known
   * @param stops the records that end its fires
   */
  Sweep(
      Ownership ownership,
      Window known,
      Window window,
      Optional<Instant> heldSince,
      List<Stop> stops) {
    this.ownership = ownership;
    this.known = known;
    this.window = window;
    this.heldSince = heldSince;
    this.stops = stops;
  }

  /**
   * @param isWaiting whether it waits for a limit, and is not in the topic fires yet
   */
  void fired(Fires.Fired fire, boolean isWaiting) {
    pieces.add(
        new Piece(
            fire.at(),
            fire.at(),
            isWaiting ? WAITING : "fired",
            false,
            Optional.empty(),
            Optional.of(fire.firedAt())));
  }

  void missed(Missed range) {
    MissedReason reason = range.getReason();
    pieces.add(
        new Piece(
            range.getFirst(),
            range.getLast(),
            "missed " + reason,
            reason == MissedReason.SKIPPED,
            Optional.of(range),
            Optional.empty()));
  }

  Account account() {
    pieces.sort(IN_ORDER);
    Instant covered = window.after();
    for (Piece piece : pieces) {
      if (!touches(piece, known)) {
        continue;
      }
      if (!isOwn(piece)) {
        found(Finding.Kind.STRAY, piece.first(), piece.last(), piece.kind() + ", but not its own");
        continue;
      }
      if (firedWhileHeld(piece)) {
        String since = heldSince.map(Instant::toString).orElseThrow();
        found(Finding.Kind.STRAY, piece.first(), piece.last(), "fired while held since " + since);
        continue;
      }
      overrun(piece);
      if (!touches(piece, window)) {
        continue;
      }
      if (!piece.first().isAfter(covered) && widest.isPresent()) {
        overlap(piece, widest.get());
      } else {
        hole(covered, piece.first().minusMillis(1));
      }
      total(piece);
      if (widest.isEmpty() || piece.last().isAfter(widest.get().last())) {
        closeWidest();
        widest = Optional.of(piece);
      }
      covered = piece.last().isAfter(covered) ? piece.last() : covered;
    }
    closeWidest();
    hole(covered, window.through());
    overruns.forEach(this::foundOverrun);
    findings.sort(Comparator.comparing(Finding::first));
    return new Account(
        id(),
        name(),
        window.after(),
        window.through().isBefore(window.after()) ? window.after() : window.through(),
        ownership.count(window),
        fired,
        waiting,
        missed,
        List.copyOf(findings));
  }

  /** Adds fires that are wrong independently of the account. */
  void found(Finding.Kind kind, WrongFires fires, String detail) {
    findings.add(
        new Finding(
            kind,
            id(),
            name(),
            fires.first(),
            fires.last(),
            new Count(fires.count(), true),
            detail));
  }

  /** Findings that may be absent with other rules of the time zone. */
  List<Finding> byZoneRules() {
    return byZoneRules;
  }

  private String id() {
    return ownership.revision().getScheduleId();
  }

  String name() {
    return ownership.revision().getRevision();
  }

  Ownership ownership() {
    return ownership;
  }

  /** The known outcomes of the occurrences that the revision owns. */
  Stream<Outcome> outcomes() {
    return pieces.stream()
        .filter(piece -> touches(piece, known) && isOwn(piece))
        .map(piece -> new Outcome(this, piece.first(), piece.last(), piece.kind()));
  }

  /** Consecutive occurrences with the same outcome. */
  record Outcome(Sweep sweep, Instant first, Instant last, String kind) {}

  private boolean isOwn(Piece piece) {
    return ownership.owns(piece.first()) && ownership.owns(piece.last());
  }

  private void overrun(Piece piece) {
    if (piece.firedAt().isEmpty()) {
      return;
    }
    Fires.Fired fire = new Fires.Fired(piece.first(), piece.firedAt().get());
    for (Stop stop : stops) {
      stop.overrun(fire)
          .ifPresent(by -> overruns.merge(stop, WrongFires.of(fire.at(), by), WrongFires::and));
    }
  }

  private void foundOverrun(Stop stop, WrongFires fires) {
    found(
        Finding.Kind.OVERRUN,
        fires,
        "fired up to %s after the timestamp of its %s, %s"
            .formatted(fires.by(), stop.what(), stop.at()));
  }

  private static boolean touches(Piece piece, Window window) {
    return piece.last().isAfter(window.after()) && !piece.first().isAfter(window.through());
  }

  /**
   * True for a fire after the scheduler knew that the schedule is held. One at that very instant
   * was decided before.
   */
  private boolean firedWhileHeld(Piece piece) {
    return heldSince.isPresent()
        && piece
            .firedAt()
            .filter(at -> at.isAfter(heldSince.get()) && at.isBefore(known.through()))
            .isPresent();
  }

  /** A SKIPPED range inside a missed one is correct. */
  private void overlap(Piece piece, Piece other) {
    boolean isInside = piece.first().isAfter(other.first()) && piece.last().isBefore(other.last());
    if (piece.skipped() && isInside && !other.isFire() && !other.skipped()) {
      nested += ownership.count(piece.first(), piece.last()).value();
      return;
    }
    Instant last = piece.last().isBefore(other.last()) ? piece.last() : other.last();
    found(Finding.Kind.DOUBLE, piece.first(), last, other.kind() + " and " + piece.kind());
  }

  private void hole(Instant after, Instant through) {
    Optional<Instant> first = ownership.nextAfter(after).filter(at -> !at.isAfter(through));
    if (first.isPresent()) {
      Instant last = ownership.previous(through.plusMillis(1)).orElseThrow();
      found(Finding.Kind.HOLE, first.get(), last, "neither fired nor missed");
    }
  }

  private void total(Piece piece) {
    if (piece.isWaiting()) {
      waiting++;
      return;
    }
    if (piece.isFire()) {
      fired++;
      return;
    }
    Instant after = piece.first().minusMillis(1);
    Window part = new Window(after, piece.last()).and(new Window(window.after(), window.through()));
    Count count = ownership.count(part);
    boolean isNested = widest.filter(other -> !piece.last().isAfter(other.last())).isPresent();
    if (!isNested) {
      missed = new Count(missed.value() + count.value(), missed.exact() && count.exact());
    }
  }

  /** All ranges inside it are known now, so its count can be compared. */
  private void closeWidest() {
    widest
        .flatMap(Piece::range)
        .filter(range -> !range.getCountIsLowerBound())
        .ifPresent(
            range -> {
              Count count = ownership.count(range.getFirst(), range.getLast());
              if (count.exact() && count.value() - nested != range.getCount()) {
                found(
                    Finding.Kind.COUNT,
                    range.getFirst(),
                    range.getLast(),
                    "says that it holds %s, but holds %s"
                        .formatted(range.getCount(), count.value() - nested));
              }
            });
    nested = 0;
  }

  /** Adds a finding about the occurrences in [first, last]. */
  void found(Finding.Kind kind, Instant first, Instant last, String detail) {
    Finding finding =
        new Finding(kind, id(), name(), first, last, ownership.count(first, last), detail);
    findings.add(finding);
    boolean isStray = kind == Finding.Kind.STRAY;
    boolean isInItsTime = ownership.isInItsTime(first) && ownership.isInItsTime(last);
    boolean isNamed = ownership.names(first) && ownership.names(last);
    if (kind == Finding.Kind.HOLE
        || kind == Finding.Kind.COUNT
        || (isStray && isInItsTime && !isNamed)) {
      byZoneRules.add(finding);
    }
  }
}
