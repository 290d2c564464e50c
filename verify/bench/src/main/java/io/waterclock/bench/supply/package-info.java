/** Which known advisories name a library of a release: {@code verify/bench/run advisories}. */
@NullMarked
package io.waterclock.bench.supply;

import org.jspecify.annotations.NullMarked;
