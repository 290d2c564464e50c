/**
 * What a webhook is sent, where to, and what follows from its answer, as pure rules: no Kafka, no
 * I/O, no clock. For {@link io.waterclock.connect.webhook.WebhookSinkTask}.
 */
@NullMarked
package io.waterclock.connect.rules;

import org.jspecify.annotations.NullMarked;
