@NullMarked
package io.waterclock.spring;

import org.jspecify.annotations.NullMarked;
