@NullMarked
package io.waterclock.cli.moving;

import org.jspecify.annotations.NullMarked;
