package io.waterclock.spring.boot;

/** The application lacks something that Waterclock needs; it does not start. */
final class MisconfiguredException extends RuntimeException {
  private final String action;

  /**
   * @param action what would be right
   */
  MisconfiguredException(String problem, String action) {
    super(problem);
    this.action = action;
  }

  String action() {
    return action;
  }
}
