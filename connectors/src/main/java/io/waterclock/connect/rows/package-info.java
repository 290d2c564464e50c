/**
 * The pure rules that turn a table's row into a schedule: no Kafka, no clock. For {@link
 * io.waterclock.connect.ScheduleRow}.
 */
@NullMarked
package io.waterclock.connect.rows;

import org.jspecify.annotations.NullMarked;
