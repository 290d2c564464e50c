@NullMarked
package io.waterclock.console.problems;

import org.jspecify.annotations.NullMarked;
