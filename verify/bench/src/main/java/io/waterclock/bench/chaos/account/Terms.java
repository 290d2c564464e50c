package io.waterclock.bench.chaos.account;

import java.time.Duration;

/**
 * What the account allows for.
 *
 * @param reading the longest time from when the brokers have a record until the scheduler heeds it,
 *     while the scheduler runs
 * @param skew by how much the scheduler's clocks may be off; zero if no fault sets them
 */
public record Terms(Duration reading, Duration skew) {}
