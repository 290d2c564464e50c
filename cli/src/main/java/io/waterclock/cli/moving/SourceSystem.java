package io.waterclock.cli.moving;

import java.util.Locale;

/** The schedulers that import-from reads. */
enum SourceSystem {
  CRONTAB,
  QUARTZ,
  SPRING,
  EVENTBRIDGE,
  KUBERNETES,
  DB_SCHEDULER,
  TEMPORAL,
  JOBRUNR;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
