/** Health and the endpoint of the actuator. */
@NullMarked
package io.waterclock.spring.actuate;

import org.jspecify.annotations.NullMarked;
