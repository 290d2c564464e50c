/** The audit of the topics: reads what it needs, and follows single occurrences. */
@NullMarked
package io.waterclock.console.audit;

import org.jspecify.annotations.NullMarked;
