@NullMarked
package io.waterclock.cli.serve;

import org.jspecify.annotations.NullMarked;
