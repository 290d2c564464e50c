/**
 * The local state of an instance: what is committed, in files that survive a crash, and whether
 * they are too old to be used.
 */
@NullMarked
package io.waterclock.runtime.state;

import org.jspecify.annotations.NullMarked;
