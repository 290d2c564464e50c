/** What the instances of the scheduler report over HTTP, and their watermarks. */
@NullMarked
package io.waterclock.cli.live;

import org.jspecify.annotations.NullMarked;
