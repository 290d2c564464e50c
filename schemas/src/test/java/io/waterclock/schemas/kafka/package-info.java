@NullMarked
package io.waterclock.schemas.kafka;

import org.jspecify.annotations.NullMarked;
