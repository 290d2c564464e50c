package io.waterclock.cli.apply;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * What an apply may do.
 *
 * @param set the name of the set that the files are; empty for none
 * @param prune whether schedules of the set that no file defines are deleted
 * @param adopt whether schedules of other sets are taken over
 * @param allowPast whether schedules may be defined that fire once, and at once
 * @param zone of schedules without a time zone
 */
record ApplyRules(
    Optional<String> set,
    boolean prune,
    boolean adopt,
    boolean allowPast,
    ZoneId zone,
    Instant now) {}
