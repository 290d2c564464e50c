@NullMarked
package io.waterclock.cli.read;

import org.jspecify.annotations.NullMarked;
