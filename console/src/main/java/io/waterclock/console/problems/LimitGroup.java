package io.waterclock.console.problems;

/**
 * What schedules with one limit have in common.
 *
 * @param limit its name, of characters that need no escape
 */
public record LimitGroup(String limit) implements RowGroup {
  @Override
  public String condition() {
    return "limit = '" + limit + "'";
  }
}
