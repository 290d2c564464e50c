package io.waterclock.runtime.config;

import java.util.List;

/** A configuration is invalid. The message has one sentence for each problem. */
public final class InvalidConfigException extends IllegalArgumentException {
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
