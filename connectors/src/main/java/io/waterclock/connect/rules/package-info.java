/**
 * The pure rules of {@link io.waterclock.connect.webhook.WebhookSinkTask}: requests, destinations
 * and retries. No Kafka, no I/O, no clock.
 */
@NullMarked
package io.waterclock.connect.rules;

import org.jspecify.annotations.NullMarked;
