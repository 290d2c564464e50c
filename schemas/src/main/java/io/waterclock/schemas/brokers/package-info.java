/** Why brokers cannot be used, in words for people. */
@NullMarked
package io.waterclock.schemas.brokers;

import org.jspecify.annotations.NullMarked;
