package io.waterclock.bench.peer;

import java.io.IOException;

/** The server in which a peer keeps its schedules: new, with processes of its own. */
interface Server extends AutoCloseable {

  /** Where the peer connects to it. */
  String url();

  /** The process whose time of the processor counts, with those that it has started. */
  String pid() throws Exception;

  String configuration() throws Exception;

  @Override
  void close() throws IOException;
}
