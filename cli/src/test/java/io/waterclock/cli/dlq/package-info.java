@NullMarked
package io.waterclock.cli.dlq;

import org.jspecify.annotations.NullMarked;
