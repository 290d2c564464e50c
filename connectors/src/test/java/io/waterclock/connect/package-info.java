@NullMarked
package io.waterclock.connect;

import org.jspecify.annotations.NullMarked;
