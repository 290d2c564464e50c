@NullMarked
package io.waterclock.schemas.text;

import org.jspecify.annotations.NullMarked;
