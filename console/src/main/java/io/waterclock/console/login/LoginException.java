package io.waterclock.console.login;

/** A login at an OpenID provider failed; the message is for the console's log. */
public final class LoginException extends Exception {
  /** What the person reads about it; the page has a sentence for each. */
  public enum Reason {
    /** It was begun in another browser, by another process, or too long ago. */
    EXPIRED,
    /** The provider did not let the person in. */
    REFUSED,
    /** The provider does not answer, or not as OpenID Connect says. */
    PROVIDER,
    /** What the provider says of the person has no usable name. */
    NAMELESS
  }

  private final Reason reason;

  LoginException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  LoginException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
