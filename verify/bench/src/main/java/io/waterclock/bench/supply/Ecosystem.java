package io.waterclock.bench.supply;

import java.util.Optional;
import org.apache.maven.artifact.versioning.ComparableVersion;
import org.jspecify.annotations.Nullable;
import org.semver4j.Semver;

/** Where packages are published, and the order of their versions there. */
enum Ecosystem {
  MAVEN("Maven"),
  NPM("npm");

  private final String label;

  Ecosystem(String label) {
    this.label = label;
  }

  /** The one of an advisory's {@code package.ecosystem}, if it is one of these. */
  static Optional<Ecosystem> of(String label) {
    for (Ecosystem ecosystem : values()) {
      if (ecosystem.label.equals(label)) {
        return Optional.of(ecosystem);
      }
    }
    return Optional.empty();
  }

  /** As advisories spell it. */
  String label() {
    return label;
  }

  /** Whether the versions of ranges of a type have the order of this ecosystem. */
  boolean orders(String typeOfRange) {
    return switch (this) {
      case MAVEN -> typeOfRange.equals("ECOSYSTEM");
      case NPM -> typeOfRange.equals("SEMVER") || typeOfRange.equals("ECOSYSTEM");
    };
  }

  /**
   * Compares two versions.
   *
   * @throws IllegalArgumentException if one of them can be no version of this ecosystem
   */
  int compare(String one, String other) {
    return switch (this) {
      case MAVEN -> new ComparableVersion(one).compareTo(new ComparableVersion(other));
      case NPM -> semantic(one).compareTo(semantic(other));
    };
  }

  /** Also what lacks a minor version or patch. */
  private static Semver semantic(String version) {
    @Nullable Semver strict = Semver.parse(version);
    @Nullable Semver semantic = strict == null ? Semver.coerce(version) : strict;
    if (semantic == null) {
      throw new IllegalArgumentException(version + " is no semantic version, which npm wants");
    }
    return semantic;
  }
}
