package io.waterclock.console.problems;

import java.util.Optional;

/** Which problems to list; what is empty filters nothing. An empty owner means those without. */
public record ProblemFilter(Optional<ProblemKind> kind, Optional<String> owner) {
  public static final ProblemFilter ALL = new ProblemFilter(Optional.empty(), Optional.empty());

  boolean hasKind(ProblemFact fact) {
    return kind.isEmpty() || kind.get() == fact.kind();
  }

  boolean hasOwner(ProblemFact fact) {
    return owner.isEmpty() || owner.get().equals(fact.owner());
  }
}
