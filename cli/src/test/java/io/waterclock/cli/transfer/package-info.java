@NullMarked
package io.waterclock.cli.transfer;

import org.jspecify.annotations.NullMarked;
