@NullMarked
package io.waterclock.decide.model;

import org.jspecify.annotations.NullMarked;
