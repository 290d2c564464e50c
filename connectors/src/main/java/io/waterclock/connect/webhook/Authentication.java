package io.waterclock.connect.webhook;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** How requests authenticate themselves. */
sealed interface Authentication {
  /** The same header for every request; empty for none. */
  record Fixed(Optional<String> authorization) implements Authentication {
    @Override
    public String toString() {
      return "Fixed";
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

  /** The header of HTTP Basic (RFC 7617). */
  static String basic(String user, String password) {
    byte[] bytes = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(bytes);
  }
}
