package io.waterclock.occurrences.core;

/** A set of days that repeats with the calendar, every 400 years. Days are epoch days. */
public interface Days {

  /** The first matching day from this one on. */
  int next(int epochDay);

  /** The last matching day up to this one. */
  int previous(int epochDay);

  /** The number of matching days from one to below another. */
  int count(int from, int to);
}
