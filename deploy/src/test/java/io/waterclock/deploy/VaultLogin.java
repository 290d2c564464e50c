package io.waterclock.deploy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;

/** A login for clients of Kafka, of a user who keeps tokens in a vault; the vault is sealed. */
public final class VaultLogin implements AuthenticateCallbackHandler {
  static final String REASON = "the vault is sealed";

  @Override
  public void configure(
      Map<String, ?> configs, String mechanism, List<AppConfigurationEntry> entries) {}

  @Override
  public void handle(Callback[] callbacks) throws IOException {
    throw new IOException(REASON);
  }

  @Override
  public void close() {}
}
