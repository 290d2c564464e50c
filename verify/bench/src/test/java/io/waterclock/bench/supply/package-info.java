@NullMarked
package io.waterclock.bench.supply;

import org.jspecify.annotations.NullMarked;
