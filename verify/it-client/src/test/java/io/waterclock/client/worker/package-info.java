@NullMarked
package io.waterclock.client.worker;

import org.jspecify.annotations.NullMarked;
