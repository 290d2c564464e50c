@NullMarked
package io.waterclock.bench.scenario;

import org.jspecify.annotations.NullMarked;
