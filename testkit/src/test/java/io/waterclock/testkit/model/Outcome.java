package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.Optional;

/** What became of one occurrence. Instants are epoch milliseconds. */
sealed interface Outcome {

  String id();

  long at();

  String revision();

  /**
   * @param revision the one whose definition the fire carries
   */
  record Fired(
      String id,
      String revision,
      long at,
      long due,
      long firedAt,
      Cause cause,
      Optional<Group> group)
      implements Outcome {
    @Override
    public String toString() {
      return id
          + "|"
          + Instant.ofEpochMilli(at)
          + " "
          + cause
          + " due "
          + Instant.ofEpochMilli(due)
          + " at "
          + Instant.ofEpochMilli(firedAt)
          + " "
          + group
              .map(g -> "{" + g.count() + " from " + Instant.ofEpochMilli(g.first()) + "} ")
              .orElse("")
          + revision.substring(revision.indexOf('@'));
    }
  }

  /**
   * A fire that a command has ordered, outside the account of occurrences.
   *
   * @param commandId what its key ends in
   */
  record Extra(
      String id, String revision, long at, long firedAt, Cause cause, Optional<String> commandId)
      implements Outcome {
    @Override
    public String toString() {
      return id
          + "|"
          + Instant.ofEpochMilli(at)
          + commandId.map(command -> "|" + command).orElse("")
          + " "
          + cause
          + " at "
          + Instant.ofEpochMilli(firedAt)
          + " "
          + revision.substring(revision.indexOf('@'));
    }
  }

  /** The others that a fire stands for. */
  record Group(long count, long first) {}

  /**
   * @param revision the one that owned the occurrence
   */
  record Lost(String id, String revision, long at, MissedReason reason, Optional<Long> into)
      implements Outcome {
    @Override
    public String toString() {
      return id
          + "|"
          + Instant.ofEpochMilli(at)
          + " missed "
          + reason
          + into.map(ms -> " " + Instant.ofEpochMilli(ms)).orElse("")
          + " "
          + revision.substring(revision.indexOf('@'));
    }
  }
}
