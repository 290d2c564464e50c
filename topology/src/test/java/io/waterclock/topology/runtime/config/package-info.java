@NullMarked
package io.waterclock.topology.runtime.config;

import org.jspecify.annotations.NullMarked;
