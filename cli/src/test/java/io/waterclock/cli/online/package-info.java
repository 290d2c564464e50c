@NullMarked
package io.waterclock.cli.online;

import org.jspecify.annotations.NullMarked;
