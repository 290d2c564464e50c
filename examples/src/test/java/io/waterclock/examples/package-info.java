@NullMarked
package io.waterclock.examples;

import org.jspecify.annotations.NullMarked;
