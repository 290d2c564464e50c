/**
 * The pure rules of {@link io.waterclock.client.worker.FireWorker}: no Kafka, no threads, no clock;
 * time is an argument. Only {@link io.waterclock.client.rules.RunPolicy} is for its users.
 */
@NullMarked
package io.waterclock.client.rules;

import org.jspecify.annotations.NullMarked;
