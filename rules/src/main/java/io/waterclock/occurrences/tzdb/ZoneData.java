package io.waterclock.occurrences.tzdb;

import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The rules of all zones in one version of the time-zone database, or in several that follow one
 * another. Immutable and thread-safe.
 *
 * @param version as IANA names it, {@code 2025b}; for several, {@code
 *     2025b,2026a@2026-12-01T00:00:00Z}
 */
public record ZoneData(String version, Map<String, ZoneRules> rules) {
  public ZoneData {
    rules = Map.copyOf(rules);
  }

  /**
   * These rules before an instant, and those of another version from it on. A zone that only one of
   * them knows has the rules of that one throughout, so a rollover never takes a zone away. If the
   * offsets of both differ at the instant, the clock changes then.
   *
   * @param from inclusive, a whole second in the years 1970 to 2200
   * @throws InvalidZoneDataException for another instant
   */
  public ZoneData rolledOver(ZoneData next, Instant from) {
    if (!from.equals(from.truncatedTo(ChronoUnit.SECONDS))
        || from.isBefore(RolloverRules.FIRST)
        || from.isAfter(RolloverRules.LAST)) {
      throw new InvalidZoneDataException(
          from
              + " cannot be the instant of a rollover; a whole second from 1970 to 2200 is right,"
              + " for example 2026-12-01T00:00:00Z");
    }
    Map<String, ZoneRules> all = new TreeMap<>(next.rules);
    rules.forEach(
        (name, old) ->
            all.merge(name, old, (later, earlier) -> RolloverRules.of(earlier, later, from)));
    return new ZoneData(version + "," + next.version + "@" + from, all);
  }

  /**
   * A zone with these rules, whose own name begins with the version. It stays known to the JVM.
   *
   * @param name as in a definition: the name of a zone, or an offset
   * @throws InvalidTriggerException if this version has no such zone
   */
  public ZoneId zone(String name) {
    if (rules.containsKey(name)) {
      return NamedZones.of(this, name);
    }
    if (ZoneRulesProvider.getAvailableZoneIds().contains(name)) {
      throw unknown(name);
    }
    return Zones.parse(name);
  }

  private InvalidTriggerException unknown(String name) {
    return new InvalidTriggerException(
        "timezone",
        "\"" + name + "\" is not a time zone in the time-zone data " + version,
        "Europe/Berlin");
  }

  /**
   * The zones of other versions under names of their own, since a JVM has one set of rules for each
   * name: {@code waterclock-1/Europe/Berlin}. A JVM never forgets a name, so one of its names
   * stands for one zone of one version for ever. Thread-safe.
   */
  static class NamedZones extends ZoneRulesProvider {
    private static final String PREFIX = "waterclock-";
    private static final IdentityHashMap<ZoneData, Integer> NUMBERS = new IdentityHashMap<>();

    private final String prefix;
    private final ZoneData data;

    NamedZones(String prefix, ZoneData data) {
      this.prefix = prefix;
      this.data = data;
    }

    static ZoneId of(ZoneData data, String name) {
      return ZoneId.of(prefix(data) + name);
    }

    private static synchronized String prefix(ZoneData data) {
      Integer known = NUMBERS.get(data);
      if (known != null) {
        return PREFIX + known + "/";
      }
      int number = NUMBERS.size() + 1;
      NUMBERS.put(data, number);
      String prefix = PREFIX + number + "/";
      registerProvider(new NamedZones(prefix, data));
      return prefix;
    }

    @Override
    protected Set<String> provideZoneIds() {
      Set<String> names = new HashSet<>();
      data.rules.keySet().forEach(name -> names.add(prefix + name));
      return names;
    }

    @Override
    protected ZoneRules provideRules(String zoneId, boolean forCaching) {
      ZoneRules rules = data.rules.get(zoneId.substring(prefix.length()));
      if (rules == null) {
        throw new ZoneRulesException("there is no zone " + zoneId);
      }
      return rules;
    }

    @Override
    protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
      return new TreeMap<>(Map.of(data.version, provideRules(zoneId, false)));
    }
  }
}
