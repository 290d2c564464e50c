package io.waterclock.spring.boot;

import java.util.concurrent.CompletableFuture;

/**
 * When the topics exist.
 *
 * @param future complete at once if the scheduler is not a part of this application; with an
 *     exception if it is, and has ended before it knew
 */
record TopicsExist(CompletableFuture<Void> future) {}
