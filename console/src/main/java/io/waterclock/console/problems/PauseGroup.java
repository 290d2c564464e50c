package io.waterclock.console.problems;

/**
 * What pauses have in common that one person made for one reason.
 *
 * @param author empty for a pause by a command without an author
 * @param note empty for none
 * @param byDefinition true for definitions that say {@code "enabled": false}, whoever wrote them
 */
public record PauseGroup(String author, String note, boolean byDefinition) implements RowGroup {
  public static final PauseGroup BY_DEFINITION = new PauseGroup("", "", true);

  @Override
  public String condition() {
    return byDefinition
        ? "enabled = false"
        : part("paused_by", author) + " and " + part("pause_note", note);
  }

  private static String part(String field, String text) {
    return text.isEmpty() ? "not " + field : RowGroup.equal(field, text);
  }
}
