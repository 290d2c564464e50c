@NullMarked
package io.waterclock.cli.files;

import org.jspecify.annotations.NullMarked;
