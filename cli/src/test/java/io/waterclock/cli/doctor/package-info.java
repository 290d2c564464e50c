@NullMarked
package io.waterclock.cli.doctor;

import org.jspecify.annotations.NullMarked;
