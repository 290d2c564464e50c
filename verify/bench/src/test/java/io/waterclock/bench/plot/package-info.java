@NullMarked
package io.waterclock.bench.plot;

import org.jspecify.annotations.NullMarked;
