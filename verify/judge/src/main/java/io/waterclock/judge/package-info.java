/**
 * The judge of histories: what must have fired, decided from the records alone, by arithmetic of
 * its own. Of the product it uses the generated classes of records, as plain data, and nothing
 * else.
 *
 * <pre>
 * records -> History -> Judge -> Verdict
 *               |         |
 *           Sabotage   ScheduleAccount, one for each id, over its Dossier:
 *      (planted faults)   AcceptedDefinitions, RevisionClaims, LawfulReasons,
 *                         Holds, JudgedRuns, Executions
 *                      and of all: RecordPlaces, Routes, FireEffects
 * </pre>
 *
 * <p>It reads definitions and commands as they were written, in JSON. What the schedulers say of a
 * revision, when it took effect and when it ended, must follow from its record and from what was
 * decided; then each occurrence has one owner, and one outcome.
 */
@NullMarked
package io.waterclock.judge;

import org.jspecify.annotations.NullMarked;
