package io.waterclock.topology.scheduler.admit;

import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.input.Inbound;

/**
 * A record that waits no longer.
 *
 * @param effect deletes it from its store
 */
record Released(Inbound inbound, Effect effect) {}
