/** The annotations and the template that an application uses. */
@NullMarked
package io.waterclock.spring;

import org.jspecify.annotations.NullMarked;
