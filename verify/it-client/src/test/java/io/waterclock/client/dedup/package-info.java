@NullMarked
package io.waterclock.client.dedup;

import org.jspecify.annotations.NullMarked;
