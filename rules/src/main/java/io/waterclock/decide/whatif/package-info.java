/** What an edit, a calendar or other time-zone data changes in the occurrences to come. */
@NullMarked
package io.waterclock.decide.whatif;

import org.jspecify.annotations.NullMarked;
