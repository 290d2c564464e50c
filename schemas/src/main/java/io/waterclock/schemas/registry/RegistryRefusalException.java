package io.waterclock.schemas.registry;

/** The registry has answered, and said no. */
final class RegistryRefusalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;

  /**
   * @param code the registry's own, such as 40403
   */
  RegistryRefusalException(int code, String message) {
    super(message + " (error " + code + ")");
    this.code = code;
  }

  int code() {
    return code;
  }
}
