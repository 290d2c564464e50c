/** The auto-configuration and its properties. */
@NullMarked
package io.waterclock.spring.boot;

import org.jspecify.annotations.NullMarked;
