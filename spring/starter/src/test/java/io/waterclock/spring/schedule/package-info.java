@NullMarked
package io.waterclock.spring.schedule;

import org.jspecify.annotations.NullMarked;
