@NullMarked
package io.waterclock.cli.live;

import org.jspecify.annotations.NullMarked;
