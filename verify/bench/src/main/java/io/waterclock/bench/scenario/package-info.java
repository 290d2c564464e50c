/** The subcommands, and the contenders that they measure. */
@NullMarked
package io.waterclock.bench.scenario;

import org.jspecify.annotations.NullMarked;
