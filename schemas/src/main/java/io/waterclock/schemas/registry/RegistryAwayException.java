package io.waterclock.schemas.registry;

/** No address of the registry gave an answer that is of use. Another time one may. */
final class RegistryAwayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RegistryAwayException(String message) {
    super(message);
  }
}
