package io.waterclock.occurrences.core;

public enum EveryDay implements Days {
  INSTANCE;

  @Override
  public int next(int epochDay) {
    return epochDay;
  }

  @Override
  public int previous(int epochDay) {
    return epochDay;
  }

  @Override
  public int count(int from, int to) {
    return to - from;
  }
}
