package io.waterclock.bench.cron;

/**
 * What a call costs.
 *
 * @param nanos on average
 * @param error half the 99.9 % confidence interval of the average, in nanoseconds
 * @param bytes allocated on the heap
 */
record Cost(double nanos, double error, double bytes) {}
