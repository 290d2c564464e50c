/** Tables, JSON and verdicts of what a run has measured. */
@NullMarked
package io.waterclock.bench.report;

import org.jspecify.annotations.NullMarked;
