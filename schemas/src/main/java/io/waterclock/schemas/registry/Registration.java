package io.waterclock.schemas.registry;

import io.waterclock.schemas.Encoding;
import java.util.concurrent.CompletableFuture;

/**
 * That schemas get their ids.
 *
 * @param encoding of no use before it is done
 * @param done completed once the registry has given every id, never with a failure
 */
public record Registration(Encoding encoding, CompletableFuture<Void> done) {}
