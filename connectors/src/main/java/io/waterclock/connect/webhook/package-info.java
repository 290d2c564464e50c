/** The connector that delivers fires to webhooks, its task, and their I/O. */
@NullMarked
package io.waterclock.connect.webhook;

import org.jspecify.annotations.NullMarked;
