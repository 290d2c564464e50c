package io.waterclock.console.model;

import java.util.List;
import java.util.Optional;

/**
 * A page of a list.
 *
 * @param total how many schedules fit the filter
 * @param after the id after which the next page begins; empty on the last page
 * @param isCut true if not all schedules were searched, so that more may fit
 */
public record SchedulePage(
    List<ScheduleRow> rows, long total, Optional<String> after, boolean isCut) {}
