package io.waterclock.console.model;

import io.waterclock.client.schedules.FireRun;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.OutcomeState;
import java.util.Optional;

/**
 * The newest fires, of all schedules, up to a fixed number.
 *
 * <p>Idea: a ring of columns. Fires are numbered from 0 in the order of their arrival; number
 * <em>n</em> lies at <em>n mod capacity</em>, and replaces the oldest. Each fire holds the distance
 * to the previous fire of its schedule, so that the fires of one schedule form a chain. A fire
 * takes 29 bytes. Columns grow in blocks, so that a small cluster costs little. Not thread-safe.
 */
final class FireLog {
  /** Of a fire. */
  static final int BYTES = 29;

  private static final int BLOCK = 1 << 14;

  /** In the place of a schedule's number. */
  private static final int NOBODYS = -1;

  private static final Cause[] CAUSES = Cause.values();
  private static final OutcomeState[] OUTCOMES = OutcomeState.values();

  private final int capacity;
  private final Block[] blocks;
  private long end;

  private static final class Block {
    final int[] schedules = new int[BLOCK];
    final long[] occurrencesMs = new long[BLOCK];
    final int[] firedAfterMs = new int[BLOCK];
    final int[] lateMs = new int[BLOCK];
    final int[] offsets = new int[BLOCK];
    final int[] back = new int[BLOCK];

    /** The cause in the lower four bits, the outcome above, 0 for none. */
    final byte[] kinds = new byte[BLOCK];
  }

  /**
   * A fire as it is kept.
   *
   * @param firedAfterMs from its occurrence; 24 days at most
   * @param lateMs from when it was due; 24 days at most
   * @param offset the lower 32 bits of its offset
   */
  record Kept(
      long occurrenceMs,
      int firedAfterMs,
      int lateMs,
      int offset,
      Cause cause,
      Optional<OutcomeState> outcome) {}

  /**
   * @param atLeast how many fires to keep; rounded up to whole blocks
   */
  FireLog(int atLeast) {
    this.blocks = new Block[Math.max(1, (atLeast + BLOCK - 1) / BLOCK)];
    this.capacity = blocks.length * BLOCK;
  }

  int capacity() {
    return capacity;
  }

  /** Takes a fire and those before it from their schedule, which is forgotten. */
  void disown(Optional<Long> newest) {
    for (Optional<Long> number = newest; number.isPresent(); number = previous(number.get())) {
      block(number.get()).schedules[index(number.get())] = NOBODYS;
    }
  }

  /** The number of the oldest fire that is kept. */
  long oldest() {
    return Math.max(0, end - capacity);
  }

  /** The schedule whose fire the next one replaces; empty if there is room, or it is forgotten. */
  Optional<Integer> nextReplaces() {
    return end < capacity
        ? Optional.empty()
        : Optional.of(schedule(end - capacity)).filter(number -> number != NOBODYS);
  }

  /**
   * Adds a fire.
   *
   * @param previous the number of the schedule's previous fire, kept or not; empty if there is none
   * @return its number
   */
  @SuppressWarnings("EnumOrdinal") // in memory only
  long add(int schedule, Kept fire, Optional<Long> previous) {
    long number = end++;
    int at = (int) (number % capacity);
    Block block = blocks[at / BLOCK];
    if (block == null) {
      block = new Block();
      blocks[at / BLOCK] = block;
    }
    int index = at % BLOCK;
    block.schedules[index] = schedule;
    block.occurrencesMs[index] = fire.occurrenceMs();
    block.firedAfterMs[index] = fire.firedAfterMs();
    block.lateMs[index] = fire.lateMs();
    block.offsets[index] = fire.offset();
    block.back[index] =
        previous.filter(known -> known >= oldest()).map(known -> (int) (number - known)).orElse(0);
    block.kinds[index] =
        (byte)
            (fire.cause().ordinal()
                | fire.outcome().map(outcome -> outcome.ordinal() + 1).orElse(0) << 4);
    return number;
  }

  int schedule(long number) {
    return block(number).schedules[index(number)];
  }

  Kept fire(long number) {
    Block block = block(number);
    int index = index(number);
    int kind = block.kinds[index];
    int outcome = kind >> 4;
    return new Kept(
        block.occurrencesMs[index],
        block.firedAfterMs[index],
        block.lateMs[index],
        block.offsets[index],
        CAUSES[kind & 15],
        outcome == 0 ? Optional.empty() : Optional.of(OUTCOMES[outcome - 1]));
  }

  long occurrenceMs(long number) {
    return block(number).occurrencesMs[index(number)];
  }

  /** The previous fire of the same schedule; empty if it is not kept any more. */
  Optional<Long> previous(long number) {
    int back = block(number).back[index(number)];
    return back == 0 || number - back < oldest() ? Optional.empty() : Optional.of(number - back);
  }

  /** Notes what a worker has reported of a kept fire, if that counts. */
  @SuppressWarnings("EnumOrdinal") // in memory only
  void report(long number, OutcomeState outcome) {
    if (!FireRun.counts(fire(number).outcome(), outcome)) {
      return;
    }
    byte[] kinds = block(number).kinds;
    kinds[index(number)] = (byte) ((kinds[index(number)] & 15) | ((outcome.ordinal() + 1) << 4));
  }

  private Block block(long number) {
    return blocks[(int) (number % capacity) / BLOCK];
  }

  private int index(long number) {
    return (int) (number % capacity) % BLOCK;
  }
}
