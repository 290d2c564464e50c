@NullMarked
package io.waterclock.console.preview;

import org.jspecify.annotations.NullMarked;
