@NullMarked
package io.waterclock.spring.test;

import org.jspecify.annotations.NullMarked;
