package io.waterclock.testkit;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.assertj.core.api.AbstractListAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ObjectAssert;

/**
 * Assertions about the fires of one schedule, in addition to AssertJ's assertions about lists. A
 * fire is at its occurrence: the time that the schedule names, before jitter. Failures say why the
 * scheduler rejected the schedule, if it did. Needs AssertJ on the class path.
 *
 * <pre>{@code
 * import static io.waterclock.testkit.FiresAssert.assertThatFires;
 *
 * assertThatFires(scheduler, "report")
 *     .between(Instant.parse("2026-03-28T00:00:00Z"), Instant.parse("2026-03-30T00:00:00Z"))
 *     .inZone(ZoneId.of("Europe/Berlin"))
 *     .areAt("2026-03-28T02:30", "2026-03-29T03:00");
 * }</pre>
 */
public final class FiresAssert
    extends AbstractListAssert<FiresAssert, List<Fire>, Fire, ObjectAssert<Fire>> {
  private final ZoneId zone;

  private FiresAssert(List<Fire> fires, ZoneId zone) {
    super(fires, FiresAssert.class);
    this.zone = zone;
  }

  /**
   * Begins an assertion about all fires of a schedule so far.
   *
   * @param id of the schedule
   */
  public static FiresAssert assertThatFires(SchedulerHarness scheduler, String id) {
    String note =
        scheduler
            .status(id)
            .map(ScheduleStatus::getProblems)
            .map(all -> all.isEmpty() ? "" : ", which the scheduler rejected: " + all)
            .orElse(", which has no status");
    return new FiresAssert(scheduler.fires(id), ZoneId.of("UTC")).as("fires of \"%s\"%s", id, note);
  }

  /**
   * The fires of occurrences in a span of time.
   *
   * @param from inclusive
   * @param until exclusive
   */
  public FiresAssert between(Instant from, Instant until) {
    List<Fire> inside =
        actual.stream()
            .filter(fire -> !fire.getOccurrence().isBefore(from))
            .filter(fire -> fire.getOccurrence().isBefore(until))
            .toList();
    return with(inside, zone).as("%s from %s until %s", descriptionText(), from, until);
  }

  /** Reads and shows times without an offset in this zone; UTC unless called. */
  public FiresAssert inZone(ZoneId zone) {
    return with(actual, zone);
  }

  /** Verifies that the fires are at exactly these occurrences, in this order. */
  public FiresAssert areAt(Instant... occurrences) {
    Assertions.assertThat(actual.stream().map(fire -> shown(fire.getOccurrence())).toList())
        .as(descriptionText())
        .containsExactlyElementsOf(Arrays.stream(occurrences).map(this::shown).toList());
    return this;
  }

  /**
   * As {@link #areAt(Instant...)}.
   *
   * @param occurrences instants such as {@code 2026-03-29T01:00:00Z}, or local times in the zone of
   *     {@link #inZone} such as {@code 2026-03-29T03:00}
   * @throws DateTimeParseException if one is neither
   */
  public FiresAssert areAt(String... occurrences) {
    return areAt(Arrays.stream(occurrences).map(this::instant).toArray(Instant[]::new));
  }

  private Instant instant(String text) {
    return text.endsWith("Z")
        ? Instant.parse(text)
        : LocalDateTime.parse(text).atZone(zone).toInstant();
  }

  private String shown(Instant instant) {
    return instant.atZone(zone).toOffsetDateTime().toString();
  }

  private FiresAssert with(List<Fire> fires, ZoneId other) {
    return new FiresAssert(fires, other).as(descriptionText());
  }

  @Override
  protected ObjectAssert<Fire> toAssert(Fire value, String description) {
    return new ObjectAssert<>(value).as(description);
  }

  @Override
  protected FiresAssert newAbstractIterableAssert(Iterable<? extends Fire> iterable) {
    return with(
        StreamSupport.stream(iterable.spliterator(), false).<Fire>map(fire -> fire).toList(), zone);
  }
}
