package io.waterclock.console.letters;

import io.waterclock.client.deadletters.Redrive;
import io.waterclock.client.schedules.Schedules;

/**
 * How a console writes.
 *
 * @param schedules sends commands and definitions; stays its creator's to close
 * @param letters sends dead letters again
 */
public record Writing(Schedules schedules, Redrive.Brokers letters) {}
