/**
 * Proves from the records of the scheduler that every occurrence was fired or missed, once. Pure:
 * it reads no topic, and the triggers are the only code that it shares with the decisions that it
 * checks.
 */
@NullMarked
package io.waterclock.audit;

import org.jspecify.annotations.NullMarked;
