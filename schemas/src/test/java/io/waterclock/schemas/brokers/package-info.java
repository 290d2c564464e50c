@NullMarked
package io.waterclock.schemas.brokers;

import org.jspecify.annotations.NullMarked;
