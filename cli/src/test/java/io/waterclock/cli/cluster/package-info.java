@NullMarked
package io.waterclock.cli.cluster;

import org.jspecify.annotations.NullMarked;
