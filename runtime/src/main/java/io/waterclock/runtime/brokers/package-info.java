/** Checks, sets up and polls the brokers: topics, rights, transactions, the broker's clock. */
@NullMarked
package io.waterclock.runtime.brokers;

import org.jspecify.annotations.NullMarked;
