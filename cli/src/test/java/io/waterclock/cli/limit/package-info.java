@NullMarked
package io.waterclock.cli.limit;

import org.jspecify.annotations.NullMarked;
