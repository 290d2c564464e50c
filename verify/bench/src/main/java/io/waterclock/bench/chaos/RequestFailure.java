package io.waterclock.bench.chaos;

import io.waterclock.bench.chaos.cluster.Interference;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** A request of a scheduler's clients that fails with an error. */
record RequestFailure(ApiKeys request, Errors error) {
  private static final int MOST = 3;

  private static final List<RequestFailure> OF_ALL_VERSIONS =
      List.of(
          new RequestFailure(ApiKeys.TXN_OFFSET_COMMIT, Errors.COORDINATOR_LOAD_IN_PROGRESS),
          new RequestFailure(ApiKeys.TXN_OFFSET_COMMIT, Errors.NOT_COORDINATOR),
          new RequestFailure(ApiKeys.TXN_OFFSET_COMMIT, Errors.ILLEGAL_GENERATION),
          new RequestFailure(ApiKeys.TXN_OFFSET_COMMIT, Errors.UNKNOWN_MEMBER_ID),
          new RequestFailure(ApiKeys.TXN_OFFSET_COMMIT, Errors.INVALID_PRODUCER_EPOCH),
          new RequestFailure(ApiKeys.END_TXN, Errors.COORDINATOR_NOT_AVAILABLE),
          new RequestFailure(ApiKeys.END_TXN, Errors.CONCURRENT_TRANSACTIONS),
          new RequestFailure(ApiKeys.END_TXN, Errors.INVALID_PRODUCER_EPOCH),
          new RequestFailure(ApiKeys.END_TXN, Errors.INVALID_TXN_STATE),
          new RequestFailure(ApiKeys.PRODUCE, Errors.NOT_LEADER_OR_FOLLOWER),
          new RequestFailure(ApiKeys.PRODUCE, Errors.NOT_ENOUGH_REPLICAS),
          new RequestFailure(ApiKeys.PRODUCE, Errors.INVALID_PRODUCER_EPOCH),
          new RequestFailure(ApiKeys.PRODUCE, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER),
          new RequestFailure(ApiKeys.PRODUCE, Errors.UNKNOWN_PRODUCER_ID),
          new RequestFailure(ApiKeys.FETCH, Errors.UNKNOWN_SERVER_ERROR),
          new RequestFailure(ApiKeys.LIST_OFFSETS, Errors.LEADER_NOT_AVAILABLE),
          new RequestFailure(ApiKeys.OFFSET_FETCH, Errors.COORDINATOR_NOT_AVAILABLE),
          new RequestFailure(ApiKeys.HEARTBEAT, Errors.UNKNOWN_MEMBER_ID),
          new RequestFailure(ApiKeys.INIT_PRODUCER_ID, Errors.COORDINATOR_LOAD_IN_PROGRESS));

  /** From version 2 on, brokers add partitions and groups to a transaction by themselves. */
  private static final List<RequestFailure> OF_VERSION_1 =
      List.of(
          new RequestFailure(ApiKeys.ADD_OFFSETS_TO_TXN, Errors.CONCURRENT_TRANSACTIONS),
          new RequestFailure(ApiKeys.ADD_OFFSETS_TO_TXN, Errors.COORDINATOR_LOAD_IN_PROGRESS),
          new RequestFailure(ApiKeys.ADD_OFFSETS_TO_TXN, Errors.INVALID_PRODUCER_EPOCH),
          new RequestFailure(ApiKeys.ADD_PARTITIONS_TO_TXN, Errors.CONCURRENT_TRANSACTIONS),
          new RequestFailure(ApiKeys.ADD_PARTITIONS_TO_TXN, Errors.NOT_COORDINATOR),
          new RequestFailure(ApiKeys.ADD_PARTITIONS_TO_TXN, Errors.INVALID_PRODUCER_EPOCH));

  /**
   * Those of the requests that clients send.
   *
   * @param transactions the brokers' version of transactions, 1 or 2
   */
  static List<RequestFailure> of(int transactions) {
    return transactions == 1
        ? Stream.of(OF_VERSION_1, OF_ALL_VERSIONS).flatMap(List::stream).toList()
        : OF_ALL_VERSIONS;
  }

  /** Fails the next few requests. */
  Interference.Fail interference() {
    return new Interference.Fail(request, error, MOST, new AtomicInteger());
  }
}
