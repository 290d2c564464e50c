package io.waterclock.topology.runtime.config;

import java.util.List;

/** A configuration that cannot be used: every problem with it, one sentence each. */
public final class InvalidConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  public InvalidConfigException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** At least one. */
  public List<String> problems() {
    return problems;
  }
}
