@NullMarked
package io.waterclock.topology.runtime.clients;

import org.jspecify.annotations.NullMarked;
