@NullMarked
package io.waterclock.schemas.policy;

import org.jspecify.annotations.NullMarked;
