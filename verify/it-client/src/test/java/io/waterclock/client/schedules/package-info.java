@NullMarked
package io.waterclock.client.schedules;

import org.jspecify.annotations.NullMarked;
