/**
 * What is hit: brokers and schedulers as processes, and what stands between them.
 *
 * <pre>
 * SchedulerNode (process: ChaosSchedulerMain, SteppedClock)
 *      |  each has listeners of its own at every broker, advertised at its
 *    Proxy (in this JVM; knows requests and responses: ProxiedConnection, Interference)
 *      |
 *   Brokers (processes)  <- everything else reaches them directly
 * </pre>
 */
@NullMarked
package io.waterclock.bench.chaos.cluster;

import org.jspecify.annotations.NullMarked;
