package io.waterclock.sim.node;

import io.waterclock.topology.scheduler.store.MemoryDueIndex;
import java.util.Map;
import java.util.SortedMap;
import org.apache.kafka.common.utils.Bytes;

/**
 * The stores of a task on the disk of its node.
 *
 * @param stores by name
 * @param index of the definitions
 * @param offsets by the name of the store: up to where its changelog is in it, exclusive
 */
public record TaskState(
    Map<String, SortedMap<Bytes, byte[]>> stores,
    MemoryDueIndex index,
    Map<String, Long> offsets) {}
