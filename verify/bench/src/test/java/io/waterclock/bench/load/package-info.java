@NullMarked
package io.waterclock.bench.load;

import org.jspecify.annotations.NullMarked;
