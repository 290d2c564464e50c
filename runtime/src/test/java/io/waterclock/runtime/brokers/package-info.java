@NullMarked
package io.waterclock.runtime.brokers;

import org.jspecify.annotations.NullMarked;
