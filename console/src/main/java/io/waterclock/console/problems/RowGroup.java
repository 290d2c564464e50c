package io.waterclock.console.problems;

/** What schedules have in common that are one row of the list of problems. */
public interface RowGroup {
  /** A condition of lists that chooses the schedules. */
  String condition();

  /** A condition on a field; a text with both kinds of quotes matches without the single ones. */
  static String equal(String field, String text) {
    if (!text.contains("'")) {
      return field + " = '" + text + "'";
    }
    return text.contains("\"")
        ? field + " ~ '" + text.replace('\'', '*') + "'"
        : field + " = \"" + text + "\"";
  }
}
