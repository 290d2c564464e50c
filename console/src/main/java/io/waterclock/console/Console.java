package io.waterclock.console;

import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.follow.TopicFollower;
import io.waterclock.console.follow.TopicSource;
import io.waterclock.console.http.ConsoleServer;
import io.waterclock.console.letters.Writing;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A web console for the schedules of one prefix. It follows the topics like any other reader and
 * writes ordinary commands. Thread-safe.
 */
public final class Console implements AutoCloseable {
  private final TopicFollower follower;
  private final ConsoleServer server;

  private Console(TopicFollower follower, ConsoleServer server) {
    this.follower = follower;
    this.server = server;
  }

  /**
   * What the operator decides.
   *
   * @param zone of schedules that name none
   */
  public record Settings(
      ConsoleServer.Listening listening,
      ConsoleServer.Offer offer,
      ZoneId zone,
      ModelWriter.Limits limits) {}

  /**
   * The topics and how to read and write them.
   *
   * @param reader of committed records
   * @param writing empty for a console that only reads
   */
  public record Source(
      TopicReader reader, Topics topics, SchemaSource schemas, Optional<Writing> writing) {}

  /**
   * Starts to read the topics and to answer; the first screen says how far the reading is.
   *
   * @throws IOException if the port is taken
   */
  public static Console start(Settings settings, Source source, InstantSource clock)
      throws IOException {
    ReadModel model = new ReadModel(settings.zone(), settings.limits());
    TopicSource topics = new TopicSource(source.reader(), source.topics(), source.schemas());
    TopicFollower follower =
        TopicFollower.start(
            topics, model, new TopicFollower.Bounds(settings.limits().fires(), clock));
    try {
      ConsoleServer.Served served =
          new ConsoleServer.Served(model, follower, topics, source.writing(), settings.offer());
      return new Console(follower, ConsoleServer.start(settings.listening(), served, clock));
    } catch (IOException | RuntimeException e) {
      follower.close();
      throw e;
    }
  }

  public int port() {
    return server.port();
  }

  /** Whether it has read all that the topics held when it started. */
  public boolean isComplete() {
    return follower.progress().isComplete();
  }

  @Override
  public void close() {
    server.close();
    follower.close();
  }
}
