@NullMarked
package io.waterclock.cli.apply;

import org.jspecify.annotations.NullMarked;
