@NullMarked
package io.waterclock.console.http;

import org.jspecify.annotations.NullMarked;
