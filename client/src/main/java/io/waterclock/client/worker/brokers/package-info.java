/** What a worker needs of the brokers: settings of clients, a topic for its state, share groups. */
@NullMarked
package io.waterclock.client.worker.brokers;

import org.jspecify.annotations.NullMarked;
