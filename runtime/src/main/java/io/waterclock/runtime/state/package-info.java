/** The local state of an instance: its RocksDB files, and whether they are too old to be used. */
@NullMarked
package io.waterclock.runtime.state;

import org.jspecify.annotations.NullMarked;
