@NullMarked
package io.waterclock.cli.create;

import org.jspecify.annotations.NullMarked;
