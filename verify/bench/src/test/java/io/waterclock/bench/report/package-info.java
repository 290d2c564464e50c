@NullMarked
package io.waterclock.bench.report;

import org.jspecify.annotations.NullMarked;
