package io.waterclock.cli.source;

import java.util.List;

/**
 * What became of the schedules of a source.
 *
 * @param schedules in the order of the source; their ids are distinct
 * @param leftBehind in the order of the source
 */
public record Moving(List<MovedSchedule> schedules, List<LeftBehind> leftBehind) {
  public Moving {
    schedules = List.copyOf(schedules);
    leftBehind = List.copyOf(leftBehind);
  }
}
