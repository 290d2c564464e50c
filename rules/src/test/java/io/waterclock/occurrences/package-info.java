@NullMarked
package io.waterclock.occurrences;

import org.jspecify.annotations.NullMarked;
