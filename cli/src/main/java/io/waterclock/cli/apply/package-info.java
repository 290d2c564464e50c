/** Schedules as code: compares files with a cluster, and writes the differences. */
@NullMarked
package io.waterclock.cli.apply;

import org.jspecify.annotations.NullMarked;
