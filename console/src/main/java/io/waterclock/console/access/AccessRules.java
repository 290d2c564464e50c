package io.waterclock.console.access;

import io.waterclock.schemas.text.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who may do what: one rule a line, {@code ROLE NAME [PREFIX]}, for example {@code operator ann
 * billing/}. {@code *} as the name means everyone, {@code @NAME} the people of a group; {@code #}
 * begins a comment. Immutable.
 *
 * @param payloads the least role that sees payload and headers
 */
public record AccessRules(List<Grant> grants, Role payloads) {
  private static final String RULE =
      "write ROLE NAME [PREFIX], for example \"operator ann billing/\"; roles are viewer, operator"
          + " and editor";

  public AccessRules {
    grants = List.copyOf(grants);
  }

  /** Everyone has one role for all schedules. */
  public static AccessRules forEveryone(Role role) {
    return new AccessRules(List.of(new Grant(role, "*", "")), Role.OPERATOR);
  }

  /** The same, with payload and headers for viewers too. */
  public AccessRules showingPayloads() {
    return new AccessRules(grants, Role.VIEWER);
  }

  /**
   * @throws InvalidAccessException with all problems, by line
   */
  public static AccessRules parse(String text) {
    List<Grant> grants = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String rule = line.replaceFirst("(^|\\s)#.*", "").strip();
      if (rule.isEmpty()) {
        continue;
      }
      String[] words = rule.split("\\s+");
      Optional<Role> role = role(words[0]);
      if (role.isEmpty() || words.length < 2 || words.length > 3) {
        problems.add("line " + number + ", " + Quoted.of(rule) + ": " + RULE);
      } else {
        grants.add(new Grant(role.get(), words[1], words.length == 3 ? words[2] : ""));
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidAccessException(problems);
    }
    return new AccessRules(grants, Role.OPERATOR);
  }

  private static Optional<Role> role(String word) {
    for (Role role : Role.values()) {
      if (role.name().toLowerCase(Locale.ROOT).equals(word)) {
        return Optional.of(role);
      }
    }
    return Optional.empty();
  }

  public Access of(Identity identity) {
    return new Access(
        identity.name(), grants.stream().filter(grant -> grant.isFor(identity)).toList(), payloads);
  }

  /** The groups that rules name. */
  public Set<String> groups() {
    return grants.stream().flatMap(grant -> grant.group().stream()).collect(Collectors.toSet());
  }
}
