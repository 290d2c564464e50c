/**
 * What a worker does with fires, as pure rules: no Kafka, no threads, no clock. Time is an
 * argument. For {@link io.waterclock.client.worker.FireWorker}; {@link
 * io.waterclock.client.rules.RunPolicy} alone is for its users.
 */
@NullMarked
package io.waterclock.client.rules;

import org.jspecify.annotations.NullMarked;
