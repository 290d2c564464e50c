/**
 * What a row of a table says of a schedule, as pure rules: no Kafka, no clock. For {@link
 * io.waterclock.connect.ScheduleRow}.
 */
@NullMarked
package io.waterclock.connect.rows;

import org.jspecify.annotations.NullMarked;
