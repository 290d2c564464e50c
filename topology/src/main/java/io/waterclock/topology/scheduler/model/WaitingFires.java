package io.waterclock.topology.scheduler.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * The fires of trigger commands that wait, with consecutive numbers. The store has a row for each,
 * beside the state, so that what waits costs a decision nothing: it adds a fire, or fires those
 * that its event brings.
 *
 * @param first the number of the oldest
 * @param next the number after the newest; {@code first} when none waits
 * @param bytes about how many bytes they take without the definition
 * @param added the newest of them: those since the state was read
 */
public record WaitingFires(long first, long next, long bytes, List<ManualFire> added) {

  /** No fire waits. */
  public static final WaitingFires NONE = new WaitingFires(0, 0, 0, List.of());

  /** Fires that no store has yet, in the order of their numbers. */
  public static WaitingFires of(List<ManualFire> fires) {
    return fires.isEmpty()
        ? NONE
        : new WaitingFires(
            fires.get(0).seq(),
            fires.get(0).seq() + fires.size(),
            fires.stream().mapToLong(ManualFire::size).sum(),
            List.copyOf(fires));
  }

  public boolean isEmpty() {
    return first == next;
  }

  public int size() {
    return (int) (next - first);
  }

  /** About how many bytes they take once they fire by a definition. */
  public long bytesBy(Accepted revision) {
    return bytes + (long) size() * revision.snapshot().body().length;
  }

  /** The same and one more, whose number is {@code next}. */
  public WaitingFires with(ManualFire fire) {
    return new WaitingFires(
        first,
        next + 1,
        bytes + fire.size(),
        Stream.concat(added.stream(), Stream.of(fire)).toList());
  }

  /** The same without the oldest, which fired. */
  public WaitingFires without(List<ManualFire> oldest) {
    long from = first + oldest.size();
    return from == next
        ? NONE
        : new WaitingFires(
            from,
            next,
            bytes - oldest.stream().mapToLong(ManualFire::size).sum(),
            added.stream().filter(fire -> fire.seq() >= from).toList());
  }
}
