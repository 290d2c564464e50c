package io.waterclock.runtime.brokers;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The scheduler lacks rights at the brokers. The message has one sentence for each right, with the
 * command that grants it.
 */
public final class MissingRightsException extends RuntimeException {
  /**
   * @param rights at least one
   * @param client the settings of the client without these rights
   */
  MissingRightsException(List<Right> rights, Map<String, ?> client) {
    super(rights.stream().map(right -> right.objection(client)).collect(Collectors.joining("\n")));
  }
}
