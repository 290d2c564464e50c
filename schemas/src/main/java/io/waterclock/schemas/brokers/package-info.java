/** Why brokers cannot be used, and what they refuse, in words for people. */
@NullMarked
package io.waterclock.schemas.brokers;

import org.jspecify.annotations.NullMarked;
