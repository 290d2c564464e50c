/**
 * Schedules as code: reads files of schedules and calendars with the line of each problem, writes
 * such files, and describes them to editors.
 */
@NullMarked
package io.waterclock.cli.files;

import org.jspecify.annotations.NullMarked;
