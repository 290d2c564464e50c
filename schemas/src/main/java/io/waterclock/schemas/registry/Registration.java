package io.waterclock.schemas.registry;

import io.waterclock.schemas.Encoding;
import java.util.concurrent.CompletableFuture;

/**
 * A registration of schemas in progress.
 *
 * @param encoding not usable before {@code done} completes
 * @param done completed once the registry has given every id, never with a failure
 */
public record Registration(Encoding encoding, CompletableFuture<Void> done) {}
