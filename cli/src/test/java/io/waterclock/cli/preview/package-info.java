@NullMarked
package io.waterclock.cli.preview;

import org.jspecify.annotations.NullMarked;
