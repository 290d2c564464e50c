/** What the application needs of Kafka beside the topology: clients, topics, the broker's clock. */
@NullMarked
package io.waterclock.topology.runtime.brokers;

import org.jspecify.annotations.NullMarked;
