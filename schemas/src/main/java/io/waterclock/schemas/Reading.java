package io.waterclock.schemas;

import io.waterclock.schemas.avro.Problem;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A place in the JSON that is being read, and the list, shared by all places, of what is wrong. For
 * one thread.
 */
final class Reading {
  private final String path;
  private final ZoneId zone;
  private final List<Problem> problems;

  private Reading(String path, ZoneId zone, List<Problem> problems) {
    this.path = path;
    this.zone = zone;
    this.problems = problems;
  }

  static Reading start(ZoneId zone) {
    return new Reading("", zone, new ArrayList<>());
  }

  Reading field(String name) {
    return new Reading(path.isEmpty() ? name : path + "." + name, zone, problems);
  }

  Reading item(int index) {
    return new Reading(path + "[" + index + "]", zone, problems);
  }

  Reading in(ZoneId other) {
    return new Reading(path, other, problems);
  }

  /** The zone of times without an offset. */
  ZoneId zone() {
    return zone;
  }

  /** A valid value as it would stand here. */
  String example(String value) {
    boolean isItem = path.endsWith("]");
    return isItem || path.isEmpty()
        ? value
        : '"' + path.substring(path.lastIndexOf('.') + 1) + "\": " + value;
  }

  void report(String message, String example) {
    problems.add(new Problem(path, message, example));
  }

  List<Problem> problems() {
    return Collections.unmodifiableList(problems);
  }
}
