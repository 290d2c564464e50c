/** The JSON form of each record: what reads it, reports its problems and writes it. */
@NullMarked
package io.waterclock.schemas.json;

import org.jspecify.annotations.NullMarked;
