/** Plug-ins for Kafka Connect: schedules from tables, fires to tables and webhooks. */
@NullMarked
package io.waterclock.connect;

import org.jspecify.annotations.NullMarked;
