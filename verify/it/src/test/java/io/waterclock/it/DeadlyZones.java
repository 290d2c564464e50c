package io.waterclock.it;

import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Time zones that end every thread that asks for their rules: with them any record can be deadly.
 */
final class DeadlyZones extends ZoneRulesProvider {
  static final String THROWS = "Deadly/Throws";
  static final String OVERFLOWS = "Deadly/Overflows";
  static final String HALTS = "Deadly/Halts";

  private DeadlyZones() {}

  static void register() {
    registerProvider(new DeadlyZones());
  }

  @Override
  protected Set<String> provideZoneIds() {
    return Set.of(THROWS, OVERFLOWS, HALTS);
  }

  @Override
  protected ZoneRules provideRules(String zone, boolean forCaching) {
    return switch (zone) {
      case THROWS -> throw new IllegalStateException("a deadly zone");
      case OVERFLOWS -> provideRules(zone, !forCaching);
      default -> {
        Runtime.getRuntime().halt(137);
        throw new IllegalStateException("halted");
      }
    };
  }

  @Override
  protected NavigableMap<String, ZoneRules> provideVersions(String zone) {
    return new TreeMap<>();
  }
}
