package io.waterclock.bench.meter;

/**
 * What a writer has sent so far.
 *
 * @param fires to the topic of fires
 * @param all to all topics but those of Kafka itself
 * @param requests of its producers
 */
public record Traffic(Sent fires, Sent all, long requests) {

  public Traffic since(Traffic before) {
    return new Traffic(
        fires.since(before.fires), all.since(before.all), requests - before.requests);
  }
}
