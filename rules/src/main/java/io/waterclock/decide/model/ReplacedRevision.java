package io.waterclock.decide.model;

/**
 * A replaced revision that still owns undecided occurrences.
 *
 * @param seq the place in the order of replaced revisions
 */
public record ReplacedRevision(long seq, Accepted accepted) {}
