/** The worker that runs the fires of a service: {@link io.waterclock.client.worker.FireWorker}. */
@NullMarked
package io.waterclock.client.worker;

import org.jspecify.annotations.NullMarked;
