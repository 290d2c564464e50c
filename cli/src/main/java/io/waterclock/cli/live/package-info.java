/** The state of the instances: their answers over HTTP, and their watermarks. */
@NullMarked
package io.waterclock.cli.live;

import org.jspecify.annotations.NullMarked;
