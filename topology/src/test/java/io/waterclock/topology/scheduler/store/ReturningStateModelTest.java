package io.waterclock.topology.scheduler.store;

import io.waterclock.topology.explore.Explorer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two instances that have a partition in turn, and come back with state of any age, in every order
 * of a few events: a restored partition has exactly what was committed, and young state is used.
 * {@code -Dwaterclock.model=N} explores N states.
 */
final class ReturningStateModelTest {
  private static final int IN_THE_BUILD = 7_000 * Integer.getInteger("waterclock.depth", 1);
  private static final int OF_A_CONTROL = 100_000;

  private enum Event {
    /** A schedule is defined. */
    PUT,
    /** It is deleted. */
    DELETE,
    /** The task stores its position, with its clock. */
    DECIDE,
    /** Two thirds of the time pass for which state may be old. */
    PASS,
    /** The brokers clean the changelog. */
    CLEAN,
    /** Somebody copies the files of the idle instance, which are new then. */
    COPY,
    /** The task ends, and the idle instance begins to restore. */
    HAND_OVER,
    /** It restores one record. */
    READ,
    /** It restores the rest, and goes on. */
    READ_ALL
  }

  /** What the product does, and faults that must be found. */
  private enum Variant {
    PRODUCT,
    USES_STATE_OF_ANY_AGE,
    USES_THE_TIME_OF_THE_FILE,
    KEEPS_TOMBSTONES_NO_LONGER_THAN_STATE,
    USES_STATE_THAT_DOES_NOT_SAY_ITS_AGE,
    USES_NO_STATE
  }

  @Test
  void what_is_restored_is_what_was_committed() {
    explorer(Variant.PRODUCT).mustHold("Returning state", IN_THE_BUILD);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PRODUCT")
  void each_planted_fault_is_found(Variant variant) {
    explorer(variant).mustBreak(variant, OF_A_CONTROL);
  }

  private static Explorer<Event> explorer(Variant variant) {
    return new Explorer<>(() -> new Partition(variant), Event.class);
  }

  /** A partition, its changelog, and what two instances have on their disks. */
  private static final class Partition implements Explorer.World<Event> {
    private static final Duration LONGEST = StateAge.STANDARD;
    private static final Duration STEP = LONGEST.multipliedBy(2).dividedBy(3);
    private static final int MOST_WRITTEN = 1;

    /**
     * A record of the changelog: a position, a definition by its number, or else the tombstone of
     * the definition.
     *
     * @param removableAt when a tombstone may go: some time after the cleaning that first met it
     */
    private record Change(
        long offset,
        Optional<Instant> position,
        Optional<Integer> schedule,
        Optional<Instant> removableAt) {
      boolean isTombstone() {
        return position.isEmpty() && schedule.isEmpty();
      }
    }

    /**
     * The state of a partition.
     *
     * @param offset exclusive: up to where the changelog is in it
     * @param writtenAt the time of its file
     */
    private record Disk(
        Optional<Instant> position, Optional<Integer> schedule, long offset, Instant writtenAt) {

      Disk with(Change change, Instant now) {
        return change.position().isPresent()
            ? new Disk(change.position(), schedule, change.offset() + 1, now)
            : new Disk(position, change.schedule(), change.offset() + 1, now);
      }

      boolean hasSame(Disk other) {
        return position.equals(other.position) && schedule.equals(other.schedule);
      }
    }

    private static final Disk EMPTY =
        new Disk(Optional.empty(), Optional.empty(), 0, Instant.EPOCH);

    private final Variant variant;
    private final StateAge age;
    private final Duration kept;
    private List<Change> changelog = new ArrayList<>();
    private Disk committed = EMPTY;
    private Disk owners = EMPTY;
    private Disk idles = EMPTY;
    private Instant now = Instant.parse("2026-11-25T00:00:00Z");
    private Optional<Instant> restoresSince = Optional.empty();
    private int written;
    private Optional<String> broken = Optional.empty();

    Partition(Variant variant) {
      this.variant = variant;
      this.age = new StateAge(LONGEST, () -> now);
      this.kept =
          variant == Variant.KEEPS_TOMBSTONES_NO_LONGER_THAN_STATE
              ? LONGEST
              : StateAge.tombstonesKept(LONGEST);
    }

    @Override
    public boolean play(Event event) {
      boolean runs = restoresSince.isEmpty();
      return switch (event) {
        case PUT -> runs && write(Optional.empty(), Optional.of(++written));
        case DELETE ->
            runs && committed.schedule().isPresent() && write(Optional.empty(), Optional.empty());
        case DECIDE ->
            runs
                && !committed.position().equals(Optional.of(now))
                && write(Optional.of(now), Optional.empty());
        case PASS -> pass();
        case CLEAN -> clean();
        case COPY -> variant == Variant.USES_THE_TIME_OF_THE_FILE && copy();
        case HAND_OVER -> runs && handOver();
        case READ -> !runs && read();
        case READ_ALL -> !runs && readAll();
      };
    }

    private boolean write(Optional<Instant> position, Optional<Integer> schedule) {
      Change change = new Change(committed.offset(), position, schedule, Optional.empty());
      changelog.add(change);
      committed = committed.with(change, now);
      owners = committed;
      return written <= MOST_WRITTEN;
    }

    /** A restore takes less than the other half of the time for which tombstones are kept. */
    private boolean pass() {
      now = now.plus(STEP);
      return restoresSince.filter(at -> !now.isBefore(at.plus(LONGEST))).isEmpty();
    }

    /** Keeps the last write of each key, as Kafka does, and tombstones for some time after that. */
    private boolean clean() {
      List<Change> cleaned = new ArrayList<>();
      for (Change change : changelog) {
        boolean isLast =
            changelog.stream()
                .noneMatch(
                    other ->
                        other.offset() > change.offset()
                            && other.position().isPresent() == change.position().isPresent());
        if (isLast && change.isTombstone() && change.removableAt().isEmpty()) {
          Optional<Instant> removableAt = Optional.of(now.plus(kept));
          cleaned.add(new Change(change.offset(), Optional.empty(), Optional.empty(), removableAt));
        } else if (isLast && change.removableAt().filter(at -> !at.isAfter(now)).isEmpty()) {
          cleaned.add(change);
        }
      }
      boolean changes = !cleaned.equals(changelog);
      changelog = cleaned;
      return changes;
    }

    private boolean copy() {
      boolean isOld = idles.writtenAt().isBefore(now) && idles.offset() > 0;
      idles = new Disk(idles.position(), idles.schedule(), idles.offset(), now);
      return isOld;
    }

    private boolean handOver() {
      Disk found = idles;
      idles = owners;
      restoresSince = Optional.of(now);
      boolean isUsed = objection(found).isEmpty();
      if (!isUsed && found.position().filter(at -> !at.plus(LONGEST).isBefore(now)).isPresent()) {
        broken = Optional.of("reads everything again, although its state is young");
      }
      owners = isUsed ? found : EMPTY;
      return true;
    }

    private Optional<String> objection(Disk disk) {
      return switch (variant) {
        case USES_STATE_OF_ANY_AGE -> Optional.empty();
        case USES_THE_TIME_OF_THE_FILE -> age.objection(Optional.of(disk.writtenAt()));
        case USES_STATE_THAT_DOES_NOT_SAY_ITS_AGE ->
            disk.position().isEmpty() ? Optional.empty() : age.objection(disk.position());
        case USES_NO_STATE -> Optional.of("it is state");
        default -> age.objection(disk.position());
      };
    }

    private boolean read() {
      Optional<Change> next =
          changelog.stream().filter(change -> change.offset() >= owners.offset()).findFirst();
      next.ifPresent(change -> owners = owners.with(change, now));
      return next.isPresent();
    }

    private boolean readAll() {
      while (read()) {
        // to the end
      }
      if (!owners.hasSame(committed)) {
        broken = Optional.of("restored " + owners + ", but committed " + committed);
      }
      restoresSince = Optional.empty();
      owners = committed;
      return true;
    }

    @Override
    public String fingerprint() {
      List<Object> all =
          new ArrayList<>(List.of(written, broken, text(committed), text(owners), text(idles)));
      restoresSince.ifPresent(at -> all.add("restores " + age(at)));
      for (Change change : changelog) {
        all.add(committed.offset() - change.offset());
        all.add(change.position().map(this::age));
        all.add(change.schedule());
        all.add(change.removableAt().map(this::age));
      }
      return all.toString();
    }

    private String text(Disk disk) {
      boolean hasFileTime = variant == Variant.USES_THE_TIME_OF_THE_FILE;
      return disk.position().map(this::age)
          + " "
          + disk.schedule()
          + " "
          + (committed.offset() - disk.offset())
          + (hasFileTime ? age(disk.writtenAt()) : "");
    }

    /** In hours; all that is very old is the same. */
    private long age(Instant at) {
      return Math.min(Duration.between(at, now).toHours(), STEP.multipliedBy(4).toHours());
    }

    @Override
    public Optional<String> broken() {
      return broken;
    }
  }
}
