package io.waterclock.console.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.RequestGuard;
import io.waterclock.console.follow.TopicFollower;
import io.waterclock.console.follow.TopicSource;
import io.waterclock.console.jobs.Jobs;
import io.waterclock.console.model.ReadModel;
import io.waterclock.occurrences.tzdb.ZoneData;
import io.waterclock.schemas.log.SafeLogger;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Serves the console over HTTP. Each request passes, in this order: the allowance of processor time
 * of the one who asks; the check of its {@code Host}; files, which everyone may load; the identity;
 * for a change the checks of origin and token; the API. A file is never refused for want of an
 * allowance, only late: a page without one of its files stays blank, and a file costs no more than
 * a refusal. Thread-safe.
 */
public final class ConsoleServer implements AutoCloseable {
  private static final Logger LOG = SafeLogger.of(ConsoleServer.class);
  private static final int SECRET_BYTES = 32;
  private static final int THREADS = 13;
  private static final int HEADER_BYTES = 16 * 1024;
  private static final int BODY_BYTES = 2 * 1024 * 1024;

  /** A longer body is cut off. */
  private static final int DISCARDED_BYTES = 8 * BODY_BYTES;

  private static final Duration IDLE = Duration.ofSeconds(60);

  /** Of which up to {@link EventStreams#MOST} watch. */
  private static final int MOST_CONNECTIONS = 256;

  /** One who asks for too much waits for the answer, and so asks less on each connection. */
  private static final Duration TOO_MUCH_TAKES = Duration.ofSeconds(1);

  private static final Duration LONGEST_BODY = Duration.ofSeconds(10);
  private static final String TOO_MUCH =
      "You ask for more than the console may take of its machine.";
  private static final String TOO_MANY = "So many of your requests wait for an answer; try again.";
  private static final String TOKEN = "X-CSRF-Token";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

  private final Server server;
  private final ServerConnector connector;
  private final Parts parts;

  /** What works for requests on threads of its own. */
  private record Parts(EventStreams streams, Api api, Jobs jobs) {
    void close() {
      streams.close();
      api.close();
      jobs.close();
    }
  }

  /**
   * Where to listen, and who may ask.
   *
   * @param port 0 for any free one
   */
  public record Listening(
      String host, int port, AccessRules rules, Identification identification) {}

  /**
   * What is served.
   *
   * @param schedules sends changes; empty for a console that only reads
   */
  public record Served(
      ReadModel model,
      TopicFollower follower,
      TopicSource source,
      Optional<Schedules> schedules,
      Offer offer) {}

  /**
   * What the operator decides about what is shown.
   *
   * @param hosts names under which browsers may reach it, beside {@code localhost} and addresses
   * @param zoneData other versions of the time-zone data, to compare with
   */
  public record Offer(Collection<String> hosts, List<ZoneData> zoneData) {}

  private ConsoleServer(Server server, ServerConnector connector, Parts parts) {
    this.server = server;
    this.connector = connector;
    this.parts = parts;
  }

  /**
   * Starts to answer.
   *
   * @throws IOException if the port is taken
   */
  public static ConsoleServer start(Listening listening, Served served, InstantSource clock)
      throws IOException {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    RequestGuard guard = new RequestGuard(served.offer().hosts(), secret);
    Jobs jobs = new Jobs(clock);
    Api api =
        new Api(
            served.model(),
            served.follower(),
            served.schedules(),
            jobs,
            new Api.Policy(served.source(), guard, served.offer().zoneData(), clock));
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 2);
    threads.setName("waterclock-console");
    threads.setDaemon(true);
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(InetAddress.getByName(listening.host()).getHostAddress());
    connector.setPort(listening.port());
    connector.setIdleTimeout(IDLE.toMillis());
    server.addConnector(connector);
    Connections connections = new Connections(MOST_CONNECTIONS);
    connector.addBean(connections);
    connector.open();
    BytesUnderWay underWay = new BytesUnderWay();
    EventStreams streams = new EventStreams(access -> api.overview(access).join(), underWay);
    server.setErrorHandler(Routes::refused);
    server.setHandler(
        new Routes(Assets.load(), new Door(listening, guard, connections, underWay), api, streams));
    Parts parts = new Parts(streams, api, jobs);
    try {
      server.start();
    } catch (IOException | RuntimeException e) {
      parts.close();
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the console cannot be served", e);
    }
    return new ConsoleServer(server, connector, parts);
  }

  /** The port that it listens to. */
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    parts.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the console's server does not stop", e);
    }
  }

  /** What a request passes before the API. */
  private record Door(
      Listening listening, RequestGuard guard, Connections connections, BytesUnderWay underWay) {}

  private static final class Routes extends Handler.Abstract {
    private final Assets assets;
    private final Identification identification;
    private final AccessRules rules;
    private final RequestGuard guard;
    private final Connections connections;
    private final Api api;
    private final EventStreams streams;
    private final BytesUnderWay underWay;
    private final Allowances people = new Allowances(System.nanoTime());

    /** Apart, so that those whom the console does not know take nothing from those it does. */
    private final Allowances strangers = new Allowances(System.nanoTime());

    Routes(Assets assets, Door door, Api api, EventStreams streams) {
      this.assets = assets;
      this.identification = door.listening().identification();
      this.rules = door.listening().rules();
      this.guard = door.guard();
      this.connections = door.connections();
      this.underWay = door.underWay();
      this.api = api;
      this.streams = streams;
    }

    /** What the page of any answer must not do. */
    private static void restrict(Response response) {
      HttpFields.Mutable headers = response.getHeaders();
      headers.put("Content-Security-Policy", POLICY);
      headers.put("X-Content-Type-Options", "nosniff");
      headers.put("Referrer-Policy", "no-referrer");
      headers.put("Cross-Origin-Opener-Policy", "same-origin");
      headers.put("Cross-Origin-Resource-Policy", "same-origin");
      headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    }

    /** Answers what the server refuses before it is a request. */
    static boolean refused(Request request, Response response, Callback callback) {
      restrict(response);
      int status = response.getStatus();
      send(
          HttpAnswer.problem(status, HttpStatus.getMessage(status), "This is no valid request."),
          response,
          callback);
      return true;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      restrict(response);
      Optional<Access> access = identification.name(claim(request)).map(rules::of);
      Allowance allowance =
          new Allowance(access.isPresent() ? people : strangers, who(access, request));
      if (!allowance.hasLeft()) {
        later(request, () -> answerLate(request, response, callback));
        return true;
      }
      return allowance.pay(
          () -> {
            try {
              answer(access, allowance, request, response, callback);
            } catch (BadRequestException e) {
              send(e.answer(), response, callback);
            } catch (RuntimeException e) {
              LOG.warn("A request to the console failed", e);
              send(
                  HttpAnswer.problem(500, "Failed", "The console's log says why."),
                  response,
                  callback);
            }
            return true;
          });
    }

    /** A person, or an address if it is all that tells people apart. */
    private String who(Optional<Access> access, Request request) {
      return access
          .filter(known -> identification.isPersonal())
          .map(Access::name)
          .orElseGet(() -> Connections.from(connection(request)).getHostAddress());
    }

    /** Holds no thread meanwhile. */
    private static void later(Request request, Runnable answer) {
      var unused =
          request
              .getComponents()
              .getScheduler()
              .schedule(answer, TOO_MUCH_TAKES.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void answerLate(Request request, Response response, Callback callback) {
      Optional<Asset> file =
          file(request).filter(known -> guard.isKnownHost(header(request, "Host")));
      if (file.isPresent()) {
        send(file.get(), request, response, callback);
      } else {
        refuse(response, callback);
      }
    }

    private static void refuse(Response response, Callback callback) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
      send(new BadRequestException(503, TOO_MUCH).answer(), response, callback);
    }

    private Optional<Asset> file(Request request) {
      return isRead(request) ? assets.at(path(request)) : Optional.empty();
    }

    private void send(Asset file, Request request, Response response, Callback callback) {
      connections.hold(connection(request));
      try {
        file.send(request, response, callback);
      } finally {
        connections.release(connection(request));
      }
    }

    private static String path(Request request) {
      return Optional.ofNullable(request.getHttpURI().getPath()).orElse("/");
    }

    private static boolean isRead(Request request) {
      return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    }

    private void answer(
        Optional<Access> access,
        Allowance allowance,
        Request request,
        Response response,
        Callback callback) {
      if (!guard.isKnownHost(header(request, "Host"))) {
        send(
            HttpAnswer.problem(
                421,
                "Unknown host",
                "The Host header names no host of this console; --allow-host adds one."),
            response,
            callback);
        return;
      }
      Optional<Asset> file = file(request);
      if (file.isPresent()) {
        send(file.get(), request, response, callback);
      } else if (access.isEmpty()) {
        response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        send(
            HttpAnswer.problem(401, "Who are you?", "This console needs to know who asks."),
            response,
            callback);
      } else if (access.get().isEmpty()) {
        send(
            HttpAnswer.problem(
                403, "Not allowed", access.get().name() + " has no role in this console."),
            response,
            callback);
      } else if (isRead(request)) {
        read(path(request), access.get(), request, response, callback);
      } else {
        change(path(request), access.get(), allowance, request, response, callback);
      }
    }

    private void read(
        String path, Access access, Request request, Response response, Callback callback) {
      String who = who(Optional.of(access), request);
      if (path.equals(Api.EVENTS) && request.getMethod().equals("GET")) {
        connections.hold(connection(request));
        if (!streams.open(access, who, response, callback)) {
          connections.release(connection(request));
          send(
              HttpAnswer.problem(
                  503, "Too many watch", "So many pages are kept up to date; close some."),
              response,
              callback);
        }
        return;
      }
      if (!connections.hold(connection(request), who)) {
        later(request, () -> refuse(response, callback));
        return;
      }
      var unused =
          answered(path, request, access)
              .exceptionally(Routes::answer)
              .thenAccept(answer -> send(answer, who, response, callback))
              .whenComplete((done, failure) -> end(request, callback, failure));
    }

    private CompletableFuture<HttpAnswer> answered(String path, Request request, Access access) {
      try {
        return api.get(path, query(request), access)
            .orElseGet(() -> CompletableFuture.completedFuture(absent()));
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    /** Does the rest when a request is answered, or its answer has failed. */
    private void end(Request request, Callback callback, @Nullable Throwable failure) {
      connections.release(connection(request));
      if (failure != null) {
        LOG.warn("An answer of the console failed", failure);
        callback.failed(failure);
      }
    }

    private void change(
        String path,
        Access access,
        Allowance allowance,
        Request request,
        Response response,
        Callback callback) {
      if (!isOwnOrigin(request)
          || !guard.isToken(header(request, TOKEN), access.name())
          || !isJson(request)) {
        send(
            HttpAnswer.problem(
                403,
                "Not from this console",
                "A change needs the origin of this console, "
                    + TOKEN
                    + " from /api/v1/session, and JSON."),
            response,
            callback);
      } else if (!api.isChange(path) || !request.getMethod().equals("POST")) {
        send(absent(), response, callback);
      } else if (request.getLength() < 0 || request.getLength() > BODY_BYTES) {
        String right = "a body must say its length, at most " + BODY_BYTES;
        HttpAnswer tooLong = HttpAnswer.problem(413, "Too long", right);
        var unused = discarded(request).whenComplete((d, f) -> send(tooLong, response, callback));
      } else if (!underWay.take(allowance.who(), (int) request.getLength())) {
        later(request, () -> refuse(response, callback));
      } else {
        var unused =
            body(request)
                .thenComposeAsync(
                    body -> {
                      if (!allowance.hasLeft()) {
                        throw new BadRequestException(503, TOO_MUCH);
                      }
                      if (!connections.hold(connection(request), allowance.who())) {
                        throw new BadRequestException(503, TOO_MANY);
                      }
                      return allowance.pay(() -> api.post(path, body, access));
                    },
                    request.getComponents().getExecutor())
                .exceptionally(Routes::answer)
                .thenAccept(
                    answer -> {
                      underWay.giveBack(allowance.who(), (int) request.getLength());
                      send(answer, allowance.who(), response, callback);
                    })
                .whenComplete((done, failure) -> end(request, callback, failure));
      }
    }

    /** Of a header that comes twice, a browser and this server could each believe another one. */
    private boolean isOwnOrigin(Request request) {
      return Stream.of("Origin", "Sec-Fetch-Site")
              .allMatch(name -> request.getHeaders().getFields(name).size() <= 1)
          && guard.isOwnOrigin(
              header(request, "Origin"),
              header(request, "Sec-Fetch-Site"),
              header(request, "Host"));
    }

    private static boolean isJson(Request request) {
      return header(request, "Content-Type")
          .map(HttpField::stripParameters)
          .filter("application/json"::equalsIgnoreCase)
          .isPresent();
    }

    /**
     * Reads a body that is a little too long to its end: the reset of a connection with unread
     * bytes can destroy the answer on its way.
     */
    private static CompletableFuture<Void> discarded(Request request) {
      Callback.Completable read = new Callback.Completable();
      if (request.getLength() < 0 || request.getLength() > DISCARDED_BYTES) {
        read.succeeded();
      } else {
        Content.Source.consumeAll(request, read);
      }
      return read.orTimeout(LONGEST_BODY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Reads as the bytes come, so a slow sender holds no thread. */
    private static CompletableFuture<byte[]> body(Request request) {
      Promise.Completable<ByteBuffer> content = new Promise.Completable<>();
      Content.Source.asByteBuffer(request, content);
      CompletableFuture<byte[]> body =
          content
              .thenApply(BufferUtil::toArray)
              .orTimeout(LONGEST_BODY.toMillis(), TimeUnit.MILLISECONDS);
      return body.whenComplete(
          (bytes, failure) -> {
            if (failure != null) {
              request.fail(failure);
            }
          });
    }

    private static HttpAnswer answer(Throwable failure) {
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      if (cause instanceof BadRequestException wrong) {
        return wrong.answer();
      }
      if (cause instanceof TimeoutException) {
        return HttpAnswer.problem(408, "Too slow", "The body did not come in time.");
      }
      if (cause instanceof IOException) {
        return HttpAnswer.problem(400, "Bad request", "The body ended early.");
      }
      LOG.warn("A request to the console failed", cause);
      return HttpAnswer.problem(500, "Failed", "The console's log says why.");
    }

    private static HttpAnswer absent() {
      return HttpAnswer.problem(404, "Not found", "/api/openapi.json lists the paths.");
    }

    private Identification.Claim claim(Request request) {
      return new Identification.Claim(
          header(request, "Authorization"),
          identification
              .header()
              .map(
                  name ->
                      request.getHeaders().getFields(name).stream()
                          .map(HttpField::getValue)
                          .toList())
              .orElse(List.of()),
          Connections.from(connection(request)));
    }

    private static Connection connection(Request request) {
      return request.getConnectionMetaData().getConnection();
    }

    /** A header that comes once; empty if it comes more often. */
    private static Optional<String> header(Request request, String name) {
      return Optional.of(request.getHeaders().getFields(name))
          .filter(fields -> fields.size() == 1)
          .map(fields -> fields.get(0).getValue());
    }

    private static Map<String, String> query(Request request) {
      Map<String, String> query = new HashMap<>();
      try {
        for (Fields.Field field : Request.extractQueryParameters(request)) {
          query.put(field.getName(), field.getValue());
        }
      } catch (IllegalArgumentException | HttpException.RuntimeException e) {
        throw new BadRequestException("the query is not valid UTF-8");
      }
      return query;
    }

    /** Refuses the answer itself if its receiver has taken too little of those before. */
    private void send(HttpAnswer answer, String who, Response response, Callback callback) {
      Optional<byte[]> body = AnswerBytes.of(answer.body(), underWay, who);
      if (body.isPresent()) {
        int length = body.get().length;
        Callback taken = Callback.from(callback, () -> underWay.giveBack(who, length));
        send(answer, body.get(), response, taken);
      } else {
        later(response.getRequest(), () -> refuse(response, callback));
      }
    }

    private static void send(HttpAnswer answer, Response response, Callback callback) {
      send(answer, answer.body().toString().getBytes(UTF_8), response, callback);
    }

    private static void send(HttpAnswer answer, byte[] body, Response response, Callback callback) {
      response.setStatus(answer.status());
      if (!response.getRequest().consumeAvailable()) {
        // what comes of the body would be taken for the next request
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
      }
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
      response.write(true, ByteBuffer.wrap(body), callback);
    }
  }
}
