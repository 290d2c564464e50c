package io.waterclock.bench.supply;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.maven.artifact.versioning.ComparableVersion;

/**
 * What one advisory says about one package, read from a record in the format of OSV.
 *
 * @param names its id, and those that other databases gave it
 * @param severity as the database rates it, or empty
 * @param affected the element {@code affected} of the package
 */
record Advisory(List<String> names, String severity, String summary, JsonNode affected) {

  private enum Kind {
    INTRODUCED,
    FIXED,
    LAST_AFFECTED
  }

  private record Event(Kind kind, ComparableVersion version) {
    /** Whether a version that comes after all earlier events is affected once this is heeded. */
    boolean affects(ComparableVersion asked, boolean before) {
      int order = asked.compareTo(version);
      return switch (kind) {
        case INTRODUCED -> before || order >= 0;
        case FIXED -> before && order < 0;
        case LAST_AFFECTED -> before && order <= 0;
      };
    }
  }

  static Advisory of(JsonNode osv, JsonNode affected) {
    List<String> names = new ArrayList<>(List.of(osv.path("id").asText()));
    osv.path("aliases").forEach(alias -> names.add(alias.asText()));
    return new Advisory(
        List.copyOf(names),
        osv.path("database_specific").path("severity").asText(),
        osv.path("summary").asText(),
        affected);
  }

  /**
   * Whether a version is affected, in Maven's order of versions: it is listed, or lies in a range.
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
    ComparableVersion asked = new ComparableVersion(version);
    for (JsonNode range : affected.path("ranges")) {
      boolean affects = false;
      for (Event event : events(range)) {
        affects = event.affects(asked, affects);
      }
      if (affects) {
        return true;
      }
    }
    return false;
  }

  /** The first version later than {@code version} that fixes this, if one does. */
  Optional<String> fixedAfter(String version) {
    ComparableVersion asked = new ComparableVersion(version);
    return affected
        .path("ranges")
        .valueStream()
        .flatMap(range -> events(range).stream())
        .filter(event -> event.kind() == Kind.FIXED && event.version().compareTo(asked) > 0)
        .map(Event::version)
        .min(Comparator.naturalOrder())
        .map(ComparableVersion::toString);
  }

  /** In the order of versions; what is introduced comes before what ends at the same version. */
  private static List<Event> events(JsonNode range) {
    List<Event> events = new ArrayList<>();
    if (!range.path("type").asText().equals("ECOSYSTEM")) {
      return events;
    }
    for (JsonNode event : range.path("events")) {
      for (Kind kind : Kind.values()) {
        JsonNode version = event.path(kind.name().toLowerCase(Locale.ROOT));
        if (!version.isMissingNode()) {
          events.add(new Event(kind, new ComparableVersion(version.asText())));
        }
      }
    }
    events.sort(Comparator.comparing(Event::version).thenComparing(Event::kind));
    return events;
  }
}
