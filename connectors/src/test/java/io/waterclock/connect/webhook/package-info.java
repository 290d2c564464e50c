@NullMarked
package io.waterclock.connect.webhook;

import org.jspecify.annotations.NullMarked;
