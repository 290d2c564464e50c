package io.waterclock.decide.model;

import io.waterclock.definition.ExpectedRuns;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a schedule remembers of its past, for records that are read late. It stays the same under
 * later revisions.
 *
 * @param resumed the latest Resume
 * @param heldUntil exclusive: the end of the latest pause
 * @param bornAfter exclusive: occurrences up to this instant belong to earlier lives of the id;
 *     empty when none is known
 * @param expectedSince exclusive: nothing before this instant counts for an expectation that an
 *     edit has changed
 */
public record Past(
    Optional<Resumed> resumed,
    Optional<Instant> heldUntil,
    Optional<Instant> bornAfter,
    Map<Expectation, Instant> expectedSince) {
  public static final Past NONE =
      new Past(Optional.empty(), Optional.empty(), Optional.empty(), Map.of());

  public Past {
    expectedSince = Map.copyOf(expectedSince);
  }

  /** After a Resume; an earlier Resume changes nothing. */
  Past resumed(Resumed by) {
    return resumed.filter(known -> !by.written().isAfter(known.written())).isPresent()
        ? this
        : new Past(Optional.of(by), heldUntil, bornAfter, expectedSince);
  }

  /** After the end of a pause, in any order of reading. */
  public Past heldUntil(Instant end) {
    return isHeldAt(end) ? this : new Past(resumed, Optional.of(end), bornAfter, expectedSince);
  }

  /** Of a schedule whose id has had an earlier life. */
  public Past bornAfter(Instant life) {
    return new Past(resumed, heldUntil, Optional.of(life), expectedSince);
  }

  /**
   * After an edit.
   *
   * @param at when it took effect
   */
  public Past edited(Schedule before, Schedule after, Instant at) {
    Map<Expectation, Instant> since = new HashMap<>(expectedSince);
    for (Expectation each : Expectation.values()) {
      if (!ExpectedRuns.within(before, each).equals(ExpectedRuns.within(after, each))) {
        since.put(each, at);
      }
    }
    return since.equals(expectedSince) ? this : new Past(resumed, heldUntil, bornAfter, since);
  }

  /** True before the end of the latest pause: in it, or so early that it has ended what began. */
  boolean isHeldAt(Instant at) {
    return heldUntil.filter(at::isBefore).isPresent();
  }

  /** True for an occurrence of an earlier life. */
  public boolean isOfEarlierLife(Instant occurrence) {
    return bornAfter.filter(after -> !occurrence.isAfter(after)).isPresent();
  }

  /** True for what happened while an expectation was as it is now. */
  boolean isExpected(Expectation expectation, Instant at) {
    Instant since = expectedSince.get(expectation);
    return since == null || at.isAfter(since);
  }
}
