/** The worker as a part of the application's life cycle. */
@NullMarked
package io.waterclock.spring.worker;

import org.jspecify.annotations.NullMarked;
