@NullMarked
package io.waterclock.topology.scheduler.model;

import org.jspecify.annotations.NullMarked;
