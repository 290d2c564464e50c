@NullMarked
package io.waterclock.bench.meter;

import org.jspecify.annotations.NullMarked;
