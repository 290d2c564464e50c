@NullMarked
package io.waterclock.runtime;

import org.jspecify.annotations.NullMarked;
