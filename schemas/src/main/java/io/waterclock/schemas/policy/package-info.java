/** What a field of a definition means to everyone who acts on it. */
@NullMarked
package io.waterclock.schemas.policy;

import org.jspecify.annotations.NullMarked;
