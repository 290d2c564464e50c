/** Work that takes longer than a request. */
@NullMarked
package io.waterclock.console.jobs;

import org.jspecify.annotations.NullMarked;
