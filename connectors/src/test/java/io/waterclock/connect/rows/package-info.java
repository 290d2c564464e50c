@NullMarked
package io.waterclock.connect.rows;

import org.jspecify.annotations.NullMarked;
