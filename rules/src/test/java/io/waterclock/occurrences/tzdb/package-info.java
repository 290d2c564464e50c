@NullMarked
package io.waterclock.occurrences.tzdb;

import org.jspecify.annotations.NullMarked;
