@NullMarked
package io.waterclock.client.topics;

import org.jspecify.annotations.NullMarked;
