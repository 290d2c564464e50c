@NullMarked
package io.waterclock.client.payload;

import org.jspecify.annotations.NullMarked;
