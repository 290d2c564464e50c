@NullMarked
package io.waterclock.console.bulk;

import org.jspecify.annotations.NullMarked;
