package io.waterclock.occurrences.tzdb;

import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The zones of {@link ZoneDataPin}, for {@code java.time}. Thread-safe. */
public final class PinnedZones extends ZoneRulesProvider {
  private final ZoneData data = ZoneDataPin.pinned();

  @Override
  protected Set<String> provideZoneIds() {
    return data.rules().keySet();
  }

  @Override
  protected ZoneRules provideRules(String zoneId, boolean forCaching) {
    return Optional.ofNullable(data.rules().get(zoneId))
        .orElseThrow(() -> new ZoneRulesException("there is no zone " + zoneId));
  }

  @Override
  protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
    return new TreeMap<>(Map.of(data.version(), provideRules(zoneId, false)));
  }
}
