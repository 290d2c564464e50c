package io.waterclock.console.access;

/**
 * One line of the access rules.
 *
 * @param who a name, or {@code *} for everyone
 * @param prefix of the ids; empty for all
 */
public record Grant(Role role, String who, String prefix) {
  boolean isFor(String name) {
    return who.equals("*") || who.equals(name);
  }

  boolean covers(String id) {
    return id.startsWith(prefix);
  }
}
