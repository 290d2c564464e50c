@NullMarked
package io.waterclock.connect.rules;

import org.jspecify.annotations.NullMarked;
