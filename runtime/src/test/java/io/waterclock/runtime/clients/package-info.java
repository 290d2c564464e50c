@NullMarked
package io.waterclock.runtime.clients;

import org.jspecify.annotations.NullMarked;
