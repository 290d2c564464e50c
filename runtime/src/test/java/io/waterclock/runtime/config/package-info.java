@NullMarked
package io.waterclock.runtime.config;

import org.jspecify.annotations.NullMarked;
