package io.waterclock.runtime.brokers;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One thing that a scheduler finds about a cluster before it starts.
 *
 * @param text one sentence without a full stop, with the remedy if there is one
 */
public record StartFinding(Kind kind, String text) {
  /** What a finding means for a start. */
  public enum Kind {
    /** The brokers are too old, or do not answer. */
    BROKERS(true),
    /** The scheduler lacks a right. */
    RIGHTS(true),
    /** The state of the schedules does not belong to the topics. */
    STATE(true),
    /** A topic is wrong. */
    NEEDED(true),
    /** The cluster refuses to create a topic. */
    REFUSED(true),
    /** A topic lacks a setting, and the scheduler runs without. */
    WANTED(false),
    /** The same, and the operator has accepted it. */
    ACCEPTED(false),
    /** A topic does not exist; the start creates it. */
    MISSING(false);

    private final boolean stops;

    Kind(boolean stops) {
      this.stops = stops;
    }

    /** Whether the scheduler does not start. */
    public boolean stops() {
      return stops;
    }
  }

  /**
   * @throws TopicException with those that stop a start, one a line, if there is one
   */
  static void refuse(List<StartFinding> findings) {
    String stopping =
        findings.stream()
            .filter(finding -> finding.kind().stops())
            .map(StartFinding::text)
            .collect(Collectors.joining("\n"));
    if (!stopping.isEmpty()) {
      throw new TopicException(stopping);
    }
  }
}
