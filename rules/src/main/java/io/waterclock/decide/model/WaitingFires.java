package io.waterclock.decide.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * The fires of trigger commands that wait, with consecutive numbers. The store has a row for each,
 * beside the state, so that what waits costs a decision nothing: it adds a fire, or fires those
 * that its event brings.
 *
 * @param first the number of the oldest
 * @param next the number after the newest; {@code first} when none waits
 * @param bytes about how many bytes they take when they fire
 * @param replacedBefore exclusive: those with lower numbers fire by a replaced revision
 * @param added the newest of them: those since the state was read
 */
public record WaitingFires(
    long first, long next, long bytes, long replacedBefore, List<ManualFire> added) {

  /** No fire waits. */
  public static final WaitingFires NONE = new WaitingFires(0, 0, 0, 0, List.of());

  /** Fires that no store has yet, in the order of their numbers, by the revision in force. */
  public static WaitingFires of(List<ManualFire> fires, Accepted inForce) {
    return fires.isEmpty()
        ? NONE
        : new WaitingFires(
            fires.get(0).seq(),
            fires.get(0).seq() + fires.size(),
            fires.stream().mapToLong(fire -> fire.size(inForce)).sum(),
            0,
            List.copyOf(fires));
  }

  public boolean isEmpty() {
    return first == next;
  }

  public int size() {
    return (int) (next - first);
  }

  /** How many fire by the revision in force: the newest ones. */
  public long ofThisRevision() {
    return next - Math.max(first, replacedBefore);
  }

  /** The same and one more, whose number is {@code next}. */
  public WaitingFires with(ManualFire fire, Accepted inForce) {
    return new WaitingFires(
        first,
        next + 1,
        bytes + fire.size(inForce),
        replacedBefore,
        Stream.concat(added.stream(), Stream.of(fire)).toList());
  }

  /** The same without the oldest, which fired. */
  public WaitingFires without(List<ManualFire> oldest, Accepted inForce) {
    long from = first + oldest.size();
    return from == next
        ? NONE
        : new WaitingFires(
            from,
            next,
            Math.max(0, bytes - oldest.stream().mapToLong(fire -> fire.size(inForce)).sum()),
            replacedBefore,
            added.stream().filter(fire -> fire.seq() >= from).toList());
  }

  /** All of them fire by the revisions of now, whatever replaces the one in force. */
  WaitingFires replaced() {
    return new WaitingFires(first, next, bytes, next, added);
  }

  /** Those by the revision in force fire by another, which replaces one that fires nothing. */
  public WaitingFires movedTo(Accepted other, Accepted inForce) {
    long difference = (long) other.snapshot().body().length - inForce.snapshot().body().length;
    return new WaitingFires(
        first, next, bytes + ofThisRevision() * difference, replacedBefore, added);
  }
}
