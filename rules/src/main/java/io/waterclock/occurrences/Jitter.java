package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Spreads occurrences that would be due at the same instant: {@code due = occurrence + hash(id,
 * occurrence) mod bound}, the bound capped by the distance to the next occurrence, so that due
 * instants keep the order of their occurrences. The hash is part of the contract and never changes.
 *
 * <p>The hash is FNV-1a (64 bits) over the UTF-8 bytes of the id and the eight bytes of the
 * occurrence's epoch milliseconds, high byte first, finished with the mixer of SplitMix64 (FNV's
 * high bits alone are weak), taken as unsigned. The bound counts in whole milliseconds. Immutable;
 * O(length of the id).
 */
public record Jitter(Duration bound) {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final Duration LONGEST = Duration.ofDays(366);

  /**
   * @throws InvalidTriggerException if the bound is negative or longer than 366 days
   */
  public Jitter {
    if (bound.isNegative() || bound.compareTo(LONGEST) > 0) {
      throw new InvalidTriggerException(
          "jitter", bound + " is not between zero and 366 days", "PT30S");
    }
  }

  /** Jitter from 0 to below {@code bound}. */
  public static Jitter of(Duration bound) {
    return new Jitter(bound);
  }

  /**
   * When an occurrence is due: at or after {@code from}, and before the next one. The hash uses the
   * occurrence.
   *
   * @param from the occurrence, or the instant to which a calendar moved it; before {@code next}
   * @param next the occurrence after this one, if any
   */
  public Instant due(String id, Instant occurrence, Instant from, Optional<Instant> next) {
    long spreadMs =
        next.map(n -> Duration.between(from, n))
            .filter(distance -> distance.compareTo(bound) < 0)
            .orElse(bound)
            .toMillis();
    return spreadMs <= 1
        ? from
        : from.plusMillis(Long.remainderUnsigned(hash(id, occurrence), spreadMs));
  }

  private static long hash(String id, Instant occurrence) {
    long hash = FNV_OFFSET;
    for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    long ms = occurrence.toEpochMilli();
    for (int shift = 56; shift >= 0; shift -= 8) {
      hash = (hash ^ (ms >>> shift & 0xff)) * FNV_PRIME;
    }
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }
}
