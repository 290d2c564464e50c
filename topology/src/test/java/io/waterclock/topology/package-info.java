@NullMarked
package io.waterclock.topology;

import org.jspecify.annotations.NullMarked;
