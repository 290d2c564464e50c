/**
 * The account of a run with faults: what must have fired, decided from the topics alone, by a
 * program that shares no code with the scheduler.
 *
 * <pre>
 * topics -> TopicLog -> History -> Account -> Verdict
 *            (as received)    |        |
 *                       Sabotage    ScheduleAccount, one for each id
 *                 (planted faults)     |
 *                                   Definition, Trigger (grids and crons of their own)
 * </pre>
 *
 * <p>It reads definitions and commands as they were written, JSON, or as their producer said in
 * JSON what it wrote as Avro. {@link Readings} says when a record could be read that waited for a
 * schema of the {@link RegistryLog}. It knows from the position and the time of each record which
 * revision owned which occurrences. Where the moment at which the scheduler read a record decides,
 * it accepts every moment that could have been: each boundary between two revisions is an interval,
 * and the outcomes on both sides must agree on one cut in it.
 */
@NullMarked
package io.waterclock.bench.chaos.account;

import org.jspecify.annotations.NullMarked;
