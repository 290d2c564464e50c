@NullMarked
package io.waterclock.client.rules;

import org.jspecify.annotations.NullMarked;
