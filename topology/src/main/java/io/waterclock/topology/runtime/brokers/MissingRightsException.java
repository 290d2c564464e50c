package io.waterclock.topology.runtime.brokers;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The brokers do not allow what a scheduler needs; one sentence for each right, with its remedy.
 */
public final class MissingRightsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param rights at least one
   * @param client the settings of the client that lacks them
   */
  MissingRightsException(List<Right> rights, Map<String, ?> client) {
    super(rights.stream().map(right -> right.objection(client)).collect(Collectors.joining("\n")));
  }
}
