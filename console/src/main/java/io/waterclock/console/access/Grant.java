package io.waterclock.console.access;

import java.util.Optional;

/**
 * One line of the access rules.
 *
 * @param who a name, {@code @} and a group, or {@code *} for everyone
 * @param prefix of the ids; empty for all
 */
public record Grant(Role role, String who, String prefix) {
  private static final String GROUP = "@";

  boolean isFor(Identity identity) {
    return group()
        .map(identity.groups()::contains)
        .orElseGet(() -> who.equals("*") || who.equals(identity.name()));
  }

  /** The group that it is for; empty if it is for a person or for everyone. */
  Optional<String> group() {
    return who.startsWith(GROUP) ? Optional.of(who.substring(GROUP.length())) : Optional.empty();
  }

  boolean covers(String id) {
    return id.startsWith(prefix);
  }
}
