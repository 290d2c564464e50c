/** What a change would do, before it is made. Pure. */
@NullMarked
package io.waterclock.console.preview;

import org.jspecify.annotations.NullMarked;
