@NullMarked
package io.waterclock.spring.sample;

import org.jspecify.annotations.NullMarked;
