package io.waterclock.client.rules;

/** Why a worker dropped a fire; the name is the reason in its outcome. */
public enum DropReason {
  /** A worker has run it already: it read a fire with this id before. */
  DUPLICATE,
  /** It expired before it could start. */
  EXPIRED,
  /** It would have started sooner than interval - tolerance after the last start. */
  TOO_SOON,
  /** The workers were down: a newer fire of the schedule replaces it. */
  COLLAPSED,
  /** The workers were down: the schedule skips fires that are older than grace. */
  SKIPPED
}
