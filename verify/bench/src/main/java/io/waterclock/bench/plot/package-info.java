/** Pictures of what was measured, as SVG. Knows nothing of schedulers. */
@NullMarked
package io.waterclock.bench.plot;

import org.jspecify.annotations.NullMarked;
