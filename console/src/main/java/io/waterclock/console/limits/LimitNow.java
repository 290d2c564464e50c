package io.waterclock.console.limits;

import io.waterclock.limits.DrainForecast;
import io.waterclock.limits.GroupLimit;

/** What a limit bounds, and what its group does now: where a forecast begins. */
public record LimitNow(GroupLimit rules, DrainForecast.State state) {}
