package io.waterclock.console.access;

import java.util.Set;

/**
 * Who asks. Immutable.
 *
 * @param groups that access rules name with {@code @}, as an OpenID provider gives them; empty with
 *     every other identification
 */
public record Identity(String name, Set<String> groups) {
  /** At most this many characters of a name reach the scheduler. */
  static final int LONGEST_NAME = 100;

  public Identity {
    groups = Set.copyOf(groups);
  }

  /** Someone in no group. */
  public static Identity of(String name) {
    return new Identity(name, Set.of());
  }

  /** Whether a text can be a name: 1 to {@value #LONGEST_NAME} characters that are printed. */
  public static boolean isName(String name) {
    return !name.isBlank()
        && name.length() <= LONGEST_NAME
        && name.chars().noneMatch(Character::isISOControl);
  }
}
