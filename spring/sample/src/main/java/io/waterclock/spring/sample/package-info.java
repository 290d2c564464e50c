/** A service that reads orders, and collects each payment once. */
@NullMarked
package io.waterclock.spring.sample;

import org.jspecify.annotations.NullMarked;
