package io.waterclock.bench.chaos.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A schedule of the load, and what may be done to it. For the thread of the load. */
final class Subject {
  final String id;
  final Instant createdAt;

  /** What its definition says, without the payload. */
  ObjectNode shape;

  /** The definition in force as it was written; empty when it is deleted. */
  Optional<String> inForce = Optional.empty();

  /** Empty unless it is paused. */
  Optional<Instant> resumeAt = Optional.empty();

  /** Its last record is confirmed, or given up. */
  volatile boolean isSettled = true;

  boolean wasEdited;

  /** From then on it stays as it is: a backfill takes the trigger that it finds. */
  boolean isBackfilled;

  Subject(String id, ObjectNode shape, Instant createdAt) {
    this.id = id;
    this.shape = shape;
    this.createdAt = createdAt;
  }

  boolean isFree() {
    return isSettled && resumeAt.isEmpty();
  }

  boolean isDefined() {
    return inForce.isPresent();
  }

  boolean isOnce() {
    return shape.has("at");
  }

  /** Whether it still occurs at an instant. */
  boolean occursAt(Instant instant) {
    return isDefined()
        && !isOnce()
        && !shape.has("max_occurrences")
        && (!shape.has("end_at") || Instant.parse(shape.get("end_at").asText()).isAfter(instant));
  }

  /** Edits of these would count occurrences anew, or move what is due. */
  boolean isEditable() {
    return !isBackfilled && !isOnce() && !shape.has("max_occurrences") && !shape.has("jitter");
  }

  /** The first occurrence after an instant, of a grid. */
  Optional<Instant> nextAfter(Instant instant) {
    if (!shape.has("every") || (isDefined() && shape.has("except"))) {
      return Optional.empty();
    }
    long stepMs = Duration.parse("PT" + shape.get("every").asText()).toMillis();
    long anchorMs = Instant.parse(shape.get("anchor").asText()).toEpochMilli();
    long steps = Math.floorDiv(instant.toEpochMilli() - anchorMs, stepMs) + 1;
    return Optional.of(Instant.ofEpochMilli(anchorMs + steps * stepMs));
  }
}
