@NullMarked
package io.waterclock.cli;

import org.jspecify.annotations.NullMarked;
