package io.waterclock.bench.chaos.account;

import io.waterclock.bench.chaos.account.Emitted.Fired;
import io.waterclock.bench.chaos.account.Emitted.MissedRange;
import java.util.List;

/** Everything that the topics say of one schedule. */
record Facts(
    String id,
    List<Revision> revisions,
    CommandsGiven commands,
    Runs runs,
    List<Fired> fires,
    List<MissedRange> missed) {

  /** The life of the id to which a revision belongs: a delete ends one, with its runs. */
  long life(String revision) {
    return revisions.stream()
        .takeWhile(change -> !change.name().equals(revision))
        .filter(change -> change.definition().isEmpty())
        .count();
  }
}
