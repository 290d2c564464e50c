@NullMarked
package io.waterclock.schemas.json;

import org.jspecify.annotations.NullMarked;
