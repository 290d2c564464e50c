@NullMarked
package io.waterclock.console;

import org.jspecify.annotations.NullMarked;
