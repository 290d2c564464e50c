@NullMarked
package io.waterclock.judge;

import org.jspecify.annotations.NullMarked;
