@NullMarked
package io.waterclock.bench.chaos.plan;

import org.jspecify.annotations.NullMarked;
