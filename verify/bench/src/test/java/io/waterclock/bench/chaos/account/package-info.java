@NullMarked
package io.waterclock.bench.chaos.account;

import org.jspecify.annotations.NullMarked;
