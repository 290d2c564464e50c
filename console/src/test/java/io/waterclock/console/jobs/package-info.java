@NullMarked
package io.waterclock.console.jobs;

import org.jspecify.annotations.NullMarked;
