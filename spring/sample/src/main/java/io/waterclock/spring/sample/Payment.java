package io.waterclock.spring.sample;

/**
 * The payload of a payment's schedule.
 *
 * @param cents to be paid
 */
record Payment(String order, int cents) {}
