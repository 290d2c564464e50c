@NullMarked
package io.waterclock.cli.deploy;

import org.jspecify.annotations.NullMarked;
