@NullMarked
package io.waterclock.definition;

import org.jspecify.annotations.NullMarked;
