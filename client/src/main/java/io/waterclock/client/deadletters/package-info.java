/** What failed and waits for a person: reads dead letters, sends them again, or discards them. */
@NullMarked
package io.waterclock.client.deadletters;

import org.jspecify.annotations.NullMarked;
