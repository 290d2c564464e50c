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
    List<MissedRange> missed) {}
