/** Reading the scheduler's topics, and asking it by records: for those who build tools on it. */
@NullMarked
package io.waterclock.client.topics;

import org.jspecify.annotations.NullMarked;
