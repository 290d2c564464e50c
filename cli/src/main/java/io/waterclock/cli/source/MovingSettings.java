package io.waterclock.cli.source;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/**
 * What a source does not say about itself.
 *
 * @param zone in which the other scheduler reads times for which it names no zone
 * @param prefix of all ids: {@code billing/}; may be empty
 * @param now from which on occurrences count; single times before it are left behind
 * @param values of placeholders such as {@code ${report.cron}}, and schedules that only the code of
 *     the other scheduler names
 */
public record MovingSettings(
    ZoneId zone, String prefix, Instant now, Map<String, String> values, Optional<String> owner) {
  public MovingSettings {
    values = Map.copyOf(values);
  }
}
