package io.waterclock.it;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;

/** What the broker knows of the transactions of a scheduler that have not ended. */
record OpenTransactions(Admin admin, Tenant tenant) {

  /** True when a transaction that began after an instant and has written fires is open. */
  boolean haveFiredSince(Instant start) throws ExecutionException, InterruptedException {
    List<String> ids =
        admin
            .listTransactions(
                new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING)))
            .all()
            .get()
            .stream()
            .map(TransactionListing::transactionalId)
            .filter(id -> id.startsWith(tenant.applicationId() + "-"))
            .toList();
    return admin.describeTransactions(ids).all().get().values().stream()
        .filter(transaction -> transaction.state() == TransactionState.ONGOING)
        .filter(
            transaction -> transaction.transactionStartTimeMs().orElse(0) >= start.toEpochMilli())
        .flatMap(transaction -> transaction.topicPartitions().stream())
        .anyMatch(partition -> partition.topic().equals(tenant.topics().fires()));
  }
}
