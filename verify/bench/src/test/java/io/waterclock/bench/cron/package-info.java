@NullMarked
package io.waterclock.bench.cron;

import org.jspecify.annotations.NullMarked;
