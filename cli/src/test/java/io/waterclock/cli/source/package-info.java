@NullMarked
package io.waterclock.cli.source;

import org.jspecify.annotations.NullMarked;
