@NullMarked
package io.waterclock.console.access;

import org.jspecify.annotations.NullMarked;
