/**
 * Proves from what the scheduler wrote that every occurrence was fired or missed, once. Pure: reads
 * no topic itself and shares nothing with the decisions that it checks but the triggers.
 */
@NullMarked
package io.waterclock.audit;

import org.jspecify.annotations.NullMarked;
