@NullMarked
package io.waterclock.connect.stack;

import org.jspecify.annotations.NullMarked;
