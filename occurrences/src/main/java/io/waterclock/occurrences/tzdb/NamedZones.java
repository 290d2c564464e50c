package io.waterclock.occurrences.tzdb;

import java.time.ZoneId;
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
 * The zones of other versions under names of their own, since a JVM has one set of rules for each
 * name: {@code waterclock-1/Europe/Berlin}. A JVM never forgets a name, so one of its names stands
 * for one zone of one version for ever. Thread-safe.
 */
final class NamedZones extends ZoneRulesProvider {
  private static final String PREFIX = "waterclock-";
  private static final IdentityHashMap<ZoneData, Integer> NUMBERS = new IdentityHashMap<>();

  private final String prefix;
  private final ZoneData data;

  private NamedZones(String prefix, ZoneData data) {
    this.prefix = prefix;
    this.data = data;
  }

  static boolean isOurs(String name) {
    return name.startsWith(PREFIX);
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
    data.rules().keySet().forEach(name -> names.add(prefix + name));
    return names;
  }

  @Override
  protected ZoneRules provideRules(String zoneId, boolean forCaching) {
    ZoneRules rules = data.rules().get(zoneId.substring(prefix.length()));
    if (rules == null) {
      throw new ZoneRulesException("no zone " + zoneId);
    }
    return rules;
  }

  @Override
  protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
    return new TreeMap<>(Map.of(data.version(), provideRules(zoneId, false)));
  }
}
