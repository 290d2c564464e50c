package io.waterclock.console.access;

import java.util.Optional;

/** Knows who has logged in, by a cookie of the browser. Thread-safe. */
public interface Logins {
  /** The name of the cookie. */
  String cookie();

  /**
   * Who has logged in; empty if nobody has, or the login has ended.
   *
   * @param cookie its value
   */
  Optional<Identity> identity(String cookie);
}
