/**
 * A naive reference of the rules, and random traces that hold the scheduler to it. Shares no code
 * with what it judges.
 */
@NullMarked
package io.waterclock.testkit.model;

import org.jspecify.annotations.NullMarked;
