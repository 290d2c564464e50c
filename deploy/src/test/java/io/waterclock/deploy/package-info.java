@NullMarked
package io.waterclock.deploy;

import org.jspecify.annotations.NullMarked;
