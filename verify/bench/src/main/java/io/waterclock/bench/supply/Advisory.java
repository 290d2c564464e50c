package io.waterclock.bench.supply;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.bench.run.BadOptionException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What one advisory says about one package, read from a record in the format of OSV.
 *
 * @param names its id, and those that other databases gave it
 * @param severity as the database rates it, or empty
 * @param ecosystem the one of the package
 * @param affected the element {@code affected} of the package
 */
record Advisory(
    List<String> names, String severity, String summary, Ecosystem ecosystem, JsonNode affected) {

  /** What OSV introduces with the first version, whichever that is. */
  private static final String BEFORE_ALL = "0";

  private enum Kind {
    INTRODUCED,
    FIXED,
    LAST_AFFECTED
  }

  private record Event(Kind kind, String version) {}

  static Advisory of(JsonNode osv, Ecosystem ecosystem, JsonNode affected) {
    List<String> names = new ArrayList<>(List.of(osv.path("id").asText()));
    osv.path("aliases").forEach(alias -> names.add(alias.asText()));
    return new Advisory(
        List.copyOf(names),
        osv.path("database_specific").path("severity").asText(),
        osv.path("summary").asText(),
        ecosystem,
        affected);
  }

  /**
   * Whether a version is affected, in the ecosystem's order of versions: it is listed, or lies in a
   * range.
   *
   * @see <a href="https://ossf.github.io/osv-schema/#evaluation">the evaluation that OSV
   *     defines</a>
   */
  boolean affects(String version) {
    for (JsonNode listed : affected.path("versions")) {
      if (listed.asText().equals(version)) {
        return true;
      }
    }
    for (JsonNode range : affected.path("ranges")) {
      boolean affects = false;
      for (Event event : events(range)) {
        affects = affects(event, version, affects);
      }
      if (affects) {
        return true;
      }
    }
    return false;
  }

  /** The first version later than {@code version} that fixes this, if one does. */
  Optional<String> fixedAfter(String version) {
    return affected
        .path("ranges")
        .valueStream()
        .flatMap(range -> events(range).stream())
        .filter(event -> event.kind() == Kind.FIXED && compare(event.version(), version) > 0)
        .map(Event::version)
        .min(this::compare);
  }

  /** Whether a version that comes after all earlier events is affected once this one is heeded. */
  private boolean affects(Event event, String asked, boolean before) {
    int order = compare(asked, event.version());
    return switch (event.kind()) {
      case INTRODUCED -> before || order >= 0;
      case FIXED -> before && order < 0;
      case LAST_AFFECTED -> before && order <= 0;
    };
  }

  /** In the order of versions; what is introduced comes before what ends at the same version. */
  private List<Event> events(JsonNode range) {
    List<Event> events = new ArrayList<>();
    if (!ecosystem.orders(range.path("type").asText())) {
      return events;
    }
    for (JsonNode event : range.path("events")) {
      for (Kind kind : Kind.values()) {
        JsonNode version = event.path(kind.name().toLowerCase(Locale.ROOT));
        if (!version.isMissingNode()) {
          events.add(new Event(kind, version.asText()));
        }
      }
    }
    events.sort(Comparator.comparing(Event::version, this::compare).thenComparing(Event::kind));
    return events;
  }

  private int compare(String one, String other) {
    if (one.equals(BEFORE_ALL) || other.equals(BEFORE_ALL)) {
      return Boolean.compare(other.equals(BEFORE_ALL), one.equals(BEFORE_ALL));
    }
    try {
      return ecosystem.compare(one, other);
    } catch (IllegalArgumentException e) {
      throw new BadOptionException(names.get(0) + ": " + e.getMessage());
    }
  }
}
