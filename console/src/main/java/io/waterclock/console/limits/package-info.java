/** What each limit says, what waits for it and what runs, from the topics; pure. */
@NullMarked
package io.waterclock.console.limits;

import org.jspecify.annotations.NullMarked;
