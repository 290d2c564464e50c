/**
 * The fault runner: {@code verify/bench/run chaos}. It breaks what it can while schedules fire and
 * change, and has the judge decide whether a fire was lost, doubled or early.
 *
 * <pre>
 * seed -> plan.FaultPlan -------> FaultRunner -> cluster (brokers, proxies, schedulers)
 *      -> load.Load -------> topics -> the schedulers -> topics
 *                               |                          |
 *                               +------> TopicLog <--------+--> Comebacks (time to the first fire)
 *                                          |
 *                                    verify/judge, and the command audit
 *                                          |
 *                                     ChaosReport
 * </pre>
 */
@NullMarked
package io.waterclock.bench.chaos;

import org.jspecify.annotations.NullMarked;
