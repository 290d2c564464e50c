package io.waterclock.console.problems;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What schedules have in common that name the same calendars.
 *
 * @param calendars one or more names, of characters that need no escape
 */
public record CalendarGroup(List<String> calendars) implements RowGroup {
  @Override
  public String condition() {
    return calendars.stream()
        .map(name -> "(except = '%s' or only = '%s')".formatted(name, name))
        .collect(Collectors.joining(" and "));
  }
}
