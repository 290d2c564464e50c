@NullMarked
package io.waterclock.testkit;

import org.jspecify.annotations.NullMarked;
