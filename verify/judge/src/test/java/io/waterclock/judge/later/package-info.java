@NullMarked
package io.waterclock.judge.later;

import org.jspecify.annotations.NullMarked;
