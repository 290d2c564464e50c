@NullMarked
package io.waterclock.runtime.http;

import org.jspecify.annotations.NullMarked;
