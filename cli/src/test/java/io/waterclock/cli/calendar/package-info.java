@NullMarked
package io.waterclock.cli.calendar;

import org.jspecify.annotations.NullMarked;
