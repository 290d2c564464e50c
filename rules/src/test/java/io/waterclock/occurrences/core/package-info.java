@NullMarked
package io.waterclock.occurrences.core;

import org.jspecify.annotations.NullMarked;
