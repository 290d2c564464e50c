@NullMarked
package io.waterclock.bench.chaos;

import org.jspecify.annotations.NullMarked;
