package io.waterclock.spring.handler;

import io.waterclock.client.worker.FireHandler;

/**
 * A handler and the fires that it handles.
 *
 * @param where the method, for a person
 */
public record FireBinding(FireMatch match, String where, FireHandler handler) {}
