/** The audit of the topics. */
@NullMarked
package io.waterclock.cli.audit;

import org.jspecify.annotations.NullMarked;
