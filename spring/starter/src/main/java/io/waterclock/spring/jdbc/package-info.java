/** Claims of fires in the transactions of Spring. */
@NullMarked
package io.waterclock.spring.jdbc;

import org.jspecify.annotations.NullMarked;
