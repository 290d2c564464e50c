package io.waterclock.cli.source;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the tests of sources share. */
final class Sources {
  static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  static final ClassLoader ENGINES = Sources.class.getClassLoader();

  private Sources() {}

  static MovingSettings settings() {
    return new MovingSettings(ZoneOffset.UTC, "", NOW, Map.of(), Optional.empty());
  }

  static MovingSettings settings(Map<String, String> values) {
    return new MovingSettings(ZoneOffset.UTC, "", NOW, values, Optional.empty());
  }

  /** Id and JSON form of each schedule. */
  static List<String> forms(Moving moving) {
    return moving.schedules().stream().map(one -> one.id() + " " + one.form()).toList();
  }

  /** What was left behind, each with its reason. */
  static List<String> left(Moving moving) {
    return moving.leftBehind().stream().map(one -> one.what() + " | " + one.why()).toList();
  }

  static Stream<String> notes(Moving moving) {
    return moving.schedules().stream().flatMap(one -> one.notes().stream());
  }
}
