/** What every run has: options, progress, waiting, failures and the files of figures. */
@NullMarked
package io.waterclock.bench.run;

import org.jspecify.annotations.NullMarked;
