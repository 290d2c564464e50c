/**
 * The judge: it reads what the brokers have ever stored, and says what the schedulers must have
 * done and have not. It shares no code with them.
 */
@NullMarked
package io.waterclock.sim.judge;

import org.jspecify.annotations.NullMarked;
