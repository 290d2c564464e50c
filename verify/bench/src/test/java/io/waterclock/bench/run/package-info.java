@NullMarked
package io.waterclock.bench.run;

import org.jspecify.annotations.NullMarked;
