@NullMarked
package io.waterclock.console.model;

import org.jspecify.annotations.NullMarked;
