/** Tests of Spring Boot applications with Waterclock. */
@NullMarked
package io.waterclock.spring.test;

import org.jspecify.annotations.NullMarked;
