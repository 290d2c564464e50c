@NullMarked
package io.waterclock.runtime.router;

import org.jspecify.annotations.NullMarked;
