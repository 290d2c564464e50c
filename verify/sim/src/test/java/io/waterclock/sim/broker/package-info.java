/** Tests of the model of the brokers. */
@NullMarked
package io.waterclock.sim.broker;

import org.jspecify.annotations.NullMarked;
