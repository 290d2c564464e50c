@NullMarked
package io.waterclock.runtime.state;

import org.jspecify.annotations.NullMarked;
