@NullMarked
package io.waterclock.client;

import org.jspecify.annotations.NullMarked;
