package io.waterclock.bench.chaos;

import io.waterclock.judge.Sabotage;
import io.waterclock.judge.later.LaterSabotage;
import io.waterclock.judge.limits.LimitSabotage;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a run is asked for.
 *
 * @param transactions the brokers' version of transactions, 1 or 2
 * @param previous the jars of an earlier version to begin with
 * @param sabotage a fault that is planted before the account
 * @param limitSabotage one that is planted before that of limits
 * @param laterSabotage one that is planted before that of records that are delivered later
 */
record ChaosRequest(
    long seed,
    int brokers,
    int partitions,
    int transactions,
    Optional<Path> previous,
    Optional<Sabotage> sabotage,
    Optional<LimitSabotage> limitSabotage,
    Optional<LaterSabotage> laterSabotage) {}
