@NullMarked
package io.waterclock.bench;

import org.jspecify.annotations.NullMarked;
