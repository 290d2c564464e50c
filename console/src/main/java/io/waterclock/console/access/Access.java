package io.waterclock.console.access;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.ScheduleSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * What one identity may see and do. Immutable.
 *
 * @param payloads the least role that sees payload and headers
 */
public record Access(String name, List<Grant> grants, Role payloads) {
  /** The fields of a definition that only some see, by their names in the JSON form. */
  public static final List<String> HIDDEN = List.of("payload", "payload_base64", "headers");

  public Access {
    grants = List.copyOf(grants);
  }

  /** Whether it has this role, or a greater one, for a schedule. */
  public boolean may(Role role, String id) {
    return grants.stream().anyMatch(grant -> grant.role().compareTo(role) >= 0 && grant.covers(id));
  }

  public boolean sees(String id) {
    return may(Role.VIEWER, id);
  }

  public boolean seesPayload(String id) {
    return may(payloads, id);
  }

  /**
   * A schedule as it may see it, for all that is shown or decided for it: nothing, everything, or
   * everything as if the schedule had neither payload nor headers.
   */
  public Optional<KnownSchedule> shown(KnownSchedule known) {
    return seesPayload(known.id())
        ? Optional.of(known)
        : Optional.of(known).filter(one -> sees(one.id())).map(Access::withoutPayload);
  }

  /** Whether it may do anything at all. */
  public boolean isEmpty() {
    return grants.isEmpty();
  }

  private static KnownSchedule withoutPayload(KnownSchedule known) {
    return new KnownSchedule(
        known.id(),
        known
            .definition()
            .map(
                newest ->
                    new WrittenDefinition(
                        newest.revision(),
                        newest.schedule().map(ScheduleSnapshot::withoutPayload))),
        known.status(),
        known.revision().map(ScheduleSnapshot::withoutPayload),
        known.knownSince());
  }
}
