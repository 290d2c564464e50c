/** The subcommands that talk to a running scheduler, by its topics alone. */
@NullMarked
package io.waterclock.cli.online;

import org.jspecify.annotations.NullMarked;
