@NullMarked
package io.waterclock.files;

import org.jspecify.annotations.NullMarked;
