package io.waterclock.console.access;

/** What a person may do; each role includes those before it. */
public enum Role {
  /** Sees schedules, without their payloads and headers. */
  VIEWER,
  /** Also pauses, resumes, triggers, skips and backfills; sees payloads. */
  OPERATOR,
  /** Also defines and deletes. */
  EDITOR
}
