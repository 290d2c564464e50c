@NullMarked
package io.waterclock.cli.diff;

import org.jspecify.annotations.NullMarked;
