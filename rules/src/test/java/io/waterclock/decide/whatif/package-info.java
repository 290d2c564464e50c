@NullMarked
package io.waterclock.decide.whatif;

import org.jspecify.annotations.NullMarked;
