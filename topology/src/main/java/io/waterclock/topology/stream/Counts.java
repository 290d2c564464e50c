package io.waterclock.topology.stream;

/** What a task has done since its assignment; told in its watermarks. */
final class Counts {
  long fired;
  long missed;
  long rejected;
  long walked;
  long repaired;
  long faulted;
}
