/** Commands that find out why a schedule does not fire. */
@NullMarked
package io.waterclock.cli.doctor;

import org.jspecify.annotations.NullMarked;
