/** Delivers fires to webhooks: the connector, its task, and their I/O. */
@NullMarked
package io.waterclock.connect.webhook;

import org.jspecify.annotations.NullMarked;
