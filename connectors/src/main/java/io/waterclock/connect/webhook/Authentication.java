package io.waterclock.connect.webhook;

import java.net.URI;
import java.util.Optional;

/** How requests authenticate themselves. */
sealed interface Authentication {
  record None() implements Authentication {}

  record Basic(String user, String password) implements Authentication {
    @Override
    public String toString() {
      return "Basic[" + user + "]";
    }
  }

  record Bearer(String token) implements Authentication {
    @Override
    public String toString() {
      return "Bearer";
    }
  }

  /** OAuth 2.0 client credentials (RFC 6749, section 4.4). */
  record ClientCredentials(URI tokenUrl, String id, String secret, Optional<String> scope)
      implements Authentication {
    @Override
    public String toString() {
      return "ClientCredentials[" + tokenUrl + ", " + id + "]";
    }
  }
}
