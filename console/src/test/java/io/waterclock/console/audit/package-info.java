@NullMarked
package io.waterclock.console.audit;

import org.jspecify.annotations.NullMarked;
