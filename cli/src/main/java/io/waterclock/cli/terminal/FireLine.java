package io.waterclock.cli.terminal;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.text.SafeText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A fire as one line for people: time of the fire, schedule, occurrence, cause, lateness, beginning
 * of the payload.
 */
public final class FireLine {
  private static final int PAYLOAD_CHARACTERS = 60;

  private FireLine() {}

  /** The line, without a line end. */
  public static String of(Fire fire) {
    return String.format(Locale.ROOT, "%-24s  ", millis(fire.getFiredAt()))
        + fire.getScheduleId()
        + "  "
        + brief(fire);
  }

  public static String brief(Fire fire) {
    StringBuilder line = new StringBuilder();
    line.append(fire.getOccurrence()).append("  ");
    line.append(fire.getCause()).append("  +");
    line.append(lateness(Duration.between(fire.getDue(), fire.getFiredAt())));
    if (fire.getCollapsed() != null) {
      line.append("  for ")
          .append(fire.getCollapsed().getCountIsLowerBound() ? "at least " : "")
          .append(fire.getCollapsed().getCount())
          .append(" more since ")
          .append(fire.getCollapsed().getFirst());
    }
    if (fire.getSchedule().getPayload() != null) {
      line.append("  ").append(payload(fire.getSchedule().getPayload()));
    }
    return line.toString();
  }

  private static String millis(Instant instant) {
    String text = instant.toString();
    return text.contains(".") ? text : text.replace("Z", ".000Z");
  }

  /** {@code 12 ms}, {@code 3.4 s}, {@code 2 h 5 min}: the longer, the coarser. */
  private static String lateness(Duration late) {
    if (late.compareTo(Duration.ofSeconds(1)) < 0) {
      return late.toMillis() + " ms";
    }
    if (late.compareTo(Duration.ofMinutes(1)) < 0) {
      return String.format(Locale.ROOT, "%.1f s", late.toMillis() / 1000.0);
    }
    return late.toHours() > 0
        ? late.toHours() + " h " + late.toMinutesPart() + " min"
        : late.toMinutes() + " min " + late.toSecondsPart() + " s";
  }

  public static String payload(ByteBuffer bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
      return SafeText.cut(text.replaceAll("\\p{Cntrl}+", " "), PAYLOAD_CHARACTERS);
    } catch (CharacterCodingException e) {
      return "(" + bytes.remaining() + " bytes)";
    }
  }
}
