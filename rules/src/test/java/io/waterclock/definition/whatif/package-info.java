@NullMarked
package io.waterclock.definition.whatif;

import org.jspecify.annotations.NullMarked;
