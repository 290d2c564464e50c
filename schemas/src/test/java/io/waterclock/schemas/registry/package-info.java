@NullMarked
package io.waterclock.schemas.registry;

import org.jspecify.annotations.NullMarked;
