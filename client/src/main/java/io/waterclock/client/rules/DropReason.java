package io.waterclock.client.rules;

/** Why a fire was not run; the name is the reason of its outcome. */
public enum DropReason {
  /** It has been done already: a fire with this id was read before. */
  DUPLICATE,
  /** It expired before it could start. */
  EXPIRED,
  /** It would have started sooner than interval - tolerance after the last start. */
  TOO_SOON,
  /** The workers were down: a newer fire of the schedule runs in its place. */
  COLLAPSED,
  /** The workers were down: what is older than grace is skipped. */
  SKIPPED
}
