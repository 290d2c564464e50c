package io.waterclock.spring.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The health of a part of Waterclock. Spring Boot 3 and 4 have different classes for it, with these
 * contents.
 */
public record PartHealth(Status status, Map<String, Object> details) {
  /** Spring Boot's statuses. */
  public enum Status {
    /** It works. */
    UP,
    /** It does not work, and should. */
    DOWN,
    /** It does not work yet, or no longer. */
    OUT_OF_SERVICE
  }

  public PartHealth {
    details = Map.copyOf(details);
  }

  static PartHealth of(Status status, Map<String, Object> details, Optional<String> reason) {
    Map<String, Object> all = new LinkedHashMap<>(details);
    reason.ifPresent(text -> all.put("reason", text));
    return new PartHealth(status, all);
  }

  /** The message of an {@link Error} may be the name of a class alone. */
  static Optional<String> reason(Throwable failure) {
    return Optional.ofNullable(failure.getMessage())
        .filter(message -> !(failure instanceof Error))
        .or(() -> Optional.of(failure.toString()));
  }
}
