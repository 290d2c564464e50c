@NullMarked
package io.waterclock.bench.rig;

import org.jspecify.annotations.NullMarked;
