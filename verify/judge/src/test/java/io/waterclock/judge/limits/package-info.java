@NullMarked
package io.waterclock.judge.limits;

import org.jspecify.annotations.NullMarked;
