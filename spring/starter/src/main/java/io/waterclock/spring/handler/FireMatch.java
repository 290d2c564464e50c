package io.waterclock.spring.handler;

import io.waterclock.client.worker.FireHandler;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.schemas.ScheduleId;
import java.util.Locale;

/**
 * Which fires a method handles.
 *
 * @param value a schedule id, a prefix, a type, or {@code name=value} of a label
 */
public record FireMatch(Kind kind, String value) {
  /** The part of a fire that the value is compared with. */
  public enum Kind {
    ID,
    PREFIX,
    TYPE,
    LABEL
  }

  /**
   * @throws IllegalArgumentException if the value is not valid
   */
  public FireMatch {
    if (kind == Kind.ID || kind == Kind.PREFIX) {
      ScheduleId.parse(value); // each beginning of an id is one
    } else if (kind == Kind.LABEL && value.indexOf('=') < 1) {
      throw new IllegalArgumentException(
          "the label \"" + value + "\" is not name=value, for example \"team=billing\"");
    }
  }

  public void register(FireWorker.Builder worker, FireHandler handler) {
    switch (kind) {
      case ID -> worker.onSchedule(value, handler);
      case PREFIX -> worker.onPrefix(value, handler);
      case TYPE -> worker.onType(value, handler);
      case LABEL -> {
        int equals = value.indexOf('=');
        worker.onLabel(value.substring(0, equals), value.substring(equals + 1), handler);
      }
    }
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + " " + value;
  }
}
