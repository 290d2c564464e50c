@NullMarked
package io.waterclock.topology.config;

import org.jspecify.annotations.NullMarked;
