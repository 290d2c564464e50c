@NullMarked
package io.waterclock.console.follow;

import org.jspecify.annotations.NullMarked;
