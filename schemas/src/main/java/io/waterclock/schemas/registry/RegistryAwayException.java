package io.waterclock.schemas.registry;

/** No address of the registry gave a usable answer. A later attempt may succeed. */
final class RegistryAwayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RegistryAwayException(String message) {
    super(message);
  }
}
