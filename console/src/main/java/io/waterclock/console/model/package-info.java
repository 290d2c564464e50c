/** What the console knows: the newest records of the topics, in bounded memory. Pure. */
@NullMarked
package io.waterclock.console.model;

import org.jspecify.annotations.NullMarked;
