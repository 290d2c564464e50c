package io.waterclock.console.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
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
    @JsonProperty("schedules") List<ScheduleRow> rows,
    long total,
    Optional<String> after,
    @JsonProperty("cut") @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean isCut) {}
