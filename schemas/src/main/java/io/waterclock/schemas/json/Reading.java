package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Quoted;
import io.waterclock.schemas.text.SafeText;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A location in the JSON text, and the list of problems that all locations share. Both are bounded,
 * so that an answer that contains them stays small: at most {@value #MAX_PROBLEMS} problems are
 * kept. For one thread.
 */
public final class Reading {
  static final int MAX_PROBLEMS = 50;

  private static final Pattern HIDDEN =
      Pattern.compile("(^|\\.)(payload|payload_base64|headers)(\\.|\\[|$)");

  /** The problems of the whole text. */
  private static final class Report {
    private final List<Problem> problems = new ArrayList<>();
    private int found;
    private int unknown;
    private int missing;
  }

  private final String path;
  private final ZoneId zone;
  private final Report report;

  private Reading(String path, ZoneId zone, Report report) {
    this.path = path;
    this.zone = zone;
    this.report = report;
  }

  public static Reading start(ZoneId zone) {
    return new Reading("", zone, new Report());
  }

  Reading field(String name) {
    String shown = Quoted.cut(name);
    return new Reading(path.isEmpty() ? shown : path + "." + shown, zone, report);
  }

  Reading item(int index) {
    return new Reading(path + "[" + index + "]", zone, report);
  }

  Reading in(ZoneId other) {
    return new Reading(path, other, report);
  }

  /** The zone of times without an offset. */
  ZoneId zone() {
    return zone;
  }

  /** A valid value, written as at this location. */
  String example(String value) {
    boolean isItem = path.endsWith("]");
    return isItem || path.isEmpty()
        ? value
        : '"' + path.substring(path.lastIndexOf('.') + 1) + "\": " + value;
  }

  void report(String message, String example) {
    report.found++;
    if (report.found <= MAX_PROBLEMS) {
      report.problems.add(new Problem(path, message, example));
    }
  }

  /** Reports a field, or the name of a value, that a newer version may know. */
  void reportUnknown(String message, String example) {
    report.unknown++;
    report(message, example);
  }

  /** Reports that nothing is given; a newer version may have given it under an unknown name. */
  void reportMissing(String message, String example) {
    report.missing++;
    report(message, example);
  }

  /** Whether all that was reported are names that a newer version may know. */
  public boolean isOfNewerVersion() {
    return report.unknown > 0 && report.found == report.unknown + report.missing;
  }

  /** Reports a value that is not of the wanted kind, and gives nothing in its place. */
  Optional<Object> mismatch(JsonNode found, String wanted, String example) {
    report("is " + shown(found) + " where " + wanted + " must be", example(example));
    return Optional.empty();
  }

  /** True within a payload or headers: some who read of problems may see neither. */
  boolean isHidden() {
    return HIDDEN.matcher(path).find();
  }

  /** A value in words, for messages, which quote nothing that is hidden. */
  String shown(JsonNode node) {
    boolean isHidden = isHidden();
    return switch (node.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "a list";
      case STRING -> isHidden ? "a text" : "the text " + Quoted.of(node.textValue());
      case NUMBER ->
          isHidden ? "a number" : "the number " + SafeText.cut(node.numberValue().toString(), 40);
      case BOOLEAN -> node.booleanValue() ? "true" : "false";
      case BINARY -> "binary data";
      default -> "null";
    };
  }

  /** Whether further problems are only counted. */
  boolean isFull() {
    return report.found >= MAX_PROBLEMS;
  }

  /** How many problems were reported. */
  int found() {
    return report.found;
  }

  /** What was reported; beyond the bound, the last one says how many more there are. */
  public List<Problem> problems() {
    List<Problem> shown = new ArrayList<>(report.problems);
    if (report.found > MAX_PROBLEMS) {
      shown.add(new Problem("", "and " + (report.found - MAX_PROBLEMS) + " more problems", null));
    }
    return List.copyOf(shown);
  }
}
