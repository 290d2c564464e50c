package io.waterclock.sim.broker;

import org.apache.kafka.clients.producer.KafkaProducer;

/** A transactional producer in both worlds. */
final class Writer {
  final KafkaProducer<String, String> real;
  final Broker.Producer modelled;
  private boolean inTransaction;

  Writer(KafkaProducer<String, String> real, Broker.Producer modelled) {
    this.real = real;
    this.modelled = modelled;
  }

  boolean isInTransaction() {
    return inTransaction;
  }

  void begin() {
    if (!inTransaction) {
      real.beginTransaction();
      inTransaction = true;
    }
  }

  /** Ends its transaction: first in the model, with all markers. */
  void end(Broker model, boolean commits) {
    inTransaction = false;
    model.end(modelled, commits);
    model.complete();
    if (commits) {
      real.commitTransaction();
    } else {
      real.abortTransaction();
    }
  }
}
