@NullMarked
package io.waterclock.occurrences.search;

import org.jspecify.annotations.NullMarked;
