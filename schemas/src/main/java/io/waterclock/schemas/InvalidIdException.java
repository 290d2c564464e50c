package io.waterclock.schemas;

/**
 * A schedule id, fire key, command id or topic prefix breaks its rule. The message names the
 * violation and gives the rule.
 */
public final class InvalidIdException extends IllegalArgumentException {
  InvalidIdException(String message) {
    super(message);
  }
}
