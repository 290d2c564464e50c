package io.waterclock.console.access;

import java.util.List;

/**
 * What one identity may see and do. Immutable.
 *
 * @param name who asks
 */
public record Access(String name, List<Grant> grants) {
  public Access {
    grants = List.copyOf(grants);
  }

  /** Whether it has this role, or a greater one, for a schedule. */
  public boolean may(Role role, String id) {
    return grants.stream().anyMatch(grant -> grant.role().compareTo(role) >= 0 && grant.covers(id));
  }

  /** Whether it may see a schedule. */
  public boolean sees(String id) {
    return may(Role.VIEWER, id);
  }

  /** Whether it may do anything at all. */
  public boolean isEmpty() {
    return grants.isEmpty();
  }
}
