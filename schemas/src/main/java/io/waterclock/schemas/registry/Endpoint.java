package io.waterclock.schemas.registry;

import java.net.URI;
import java.util.Optional;

/**
 * One address of a registry.
 *
 * @param base without user information and without a slash at its end
 * @param authorization the value of that header
 */
record Endpoint(URI base, Optional<String> authorization) {
  URI at(String path) {
    return URI.create(base + path);
  }

  /** The address alone: what authorises is a secret. */
  @Override
  public String toString() {
    return base.toString();
  }
}
