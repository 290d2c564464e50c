@NullMarked
package io.waterclock.decide;

import org.jspecify.annotations.NullMarked;
