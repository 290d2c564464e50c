package io.waterclock.console.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.console.access.Access;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.RequestGuard;
import io.waterclock.console.follow.TopicFollower;
import io.waterclock.console.follow.TopicSource;
import io.waterclock.console.jobs.Jobs;
import io.waterclock.console.letters.Writing;
import io.waterclock.console.login.LoginException;
import io.waterclock.console.login.OpenIdLogin;
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
import java.util.function.LongSupplier;
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

  /** Which may wait for the provider at a time. */
  private static final int MOST_LOGINS = 4;

  private static final String TOO_MUCH =
      "You ask for more than the console may take of its machine.";
  private static final String TOO_MANY = "So many of your requests wait for an answer; try again.";
  private static final String TOKEN = "X-CSRF-Token";
  private static final HttpAnswer ABSENT =
      HttpAnswer.problem(404, "Not found", "/api/openapi.json lists the paths.");
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
   * @param writing empty for a console that only reads
   */
  public record Served(
      ReadModel model,
      TopicFollower follower,
      TopicSource source,
      Optional<Writing> writing,
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
    return start(listening, served, clock, System::nanoTime);
  }

  /**
   * The same, with allowances that come back, and streams that end, by another clock.
   *
   * @param clockNs never goes back
   */
  static ConsoleServer start(
      Listening listening, Served served, InstantSource clock, LongSupplier clockNs)
      throws IOException {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    RequestGuard guard = new RequestGuard(served.offer().hosts(), secret);
    Jobs jobs = new Jobs(clock);
    Api api =
        new Api(
            served.model(),
            served.follower(),
            served.writing(),
            jobs,
            new Api.Policy(
                served.source(),
                guard,
                served.offer().zoneData(),
                listening.identification().cookie().map(kept -> OpenIdLogin.LOGOUT),
                clock));
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
    EventStreams streams =
        new EventStreams(access -> api.overview(access).join(), underWay, clockNs);
    server.setErrorHandler(Routes::refused);
    server.setHandler(
        new Routes(
            Assets.load(),
            new Door(listening, guard, connections, underWay, clockNs),
            api,
            streams));
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
      Listening listening,
      RequestGuard guard,
      Connections connections,
      BytesUnderWay underWay,
      LongSupplier clockNs) {}

  private static final class Routes extends Handler.Abstract {
    private final Assets assets;
    private final Identification identification;
    private final AccessRules rules;
    private final RequestGuard guard;
    private final Connections connections;
    private final Api api;
    private final EventStreams streams;
    private final BytesUnderWay underWay;
    private final Optional<OpenIdLogin> login;
    private final ConcurrencyLimit logins = new ConcurrencyLimit(MOST_LOGINS);
    private final Allowances people;

    /** Apart, so that those whom the console does not know take nothing from those it does. */
    private final Allowances strangers;

    Routes(Assets assets, Door door, Api api, EventStreams streams) {
      this.assets = assets;
      this.identification = door.listening().identification();
      this.login =
          identification instanceof Identification.OpenId openId
                  && openId.logins() instanceof OpenIdLogin logins
              ? Optional.of(logins)
              : Optional.empty();
      this.rules = door.listening().rules();
      this.guard = door.guard();
      this.connections = door.connections();
      this.underWay = door.underWay();
      this.people = new Allowances(door.clockNs());
      this.strangers = new Allowances(door.clockNs());
      this.api = api;
      this.streams = streams;
    }

    /** Answers what the server refuses before it is a request. */
    static boolean refused(Request request, Response response, Callback callback) {
      Exchange exchange = new Exchange(request, response, callback);
      exchange.restrict();
      int status = response.getStatus();
      exchange.problem(status, HttpStatus.getMessage(status), "This is no valid request.");
      return true;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      Exchange exchange = new Exchange(request, response, callback);
      exchange.restrict();
      Optional<Access> access = identification.identity(claim(exchange)).map(rules::of);
      Allowance allowance =
          new Allowance(access.isPresent() ? people : strangers, who(access, exchange));
      if (!allowance.hasLeft()) {
        exchange.later(() -> answerLate(exchange));
        return true;
      }
      return allowance.pay(
          () -> {
            try {
              answer(access, allowance, exchange);
            } catch (RuntimeException e) {
              exchange.send(answer(e));
            }
            return true;
          });
    }

    /** A person, or an address if it is all that tells people apart. */
    private String who(Optional<Access> access, Exchange exchange) {
      return access
          .filter(known -> identification.isPersonal())
          .map(Access::name)
          .orElseGet(() -> Connections.from(exchange.connection()).getHostAddress());
    }

    private void answerLate(Exchange exchange) {
      Optional<Asset> file =
          file(exchange).filter(known -> guard.isKnownHost(exchange.header("Host")));
      if (file.isPresent()) {
        send(file.get(), exchange);
      } else {
        exchange.refuse();
      }
    }

    private Optional<Asset> file(Exchange exchange) {
      return exchange.isRead() ? assets.at(exchange.path()) : Optional.empty();
    }

    private void send(Asset file, Exchange exchange) {
      connections.hold(exchange.connection());
      try {
        file.send(exchange.request(), exchange.response(), exchange.callback());
      } finally {
        connections.release(exchange.connection());
      }
    }

    private void answer(Optional<Access> access, Allowance allowance, Exchange exchange) {
      if (!guard.isKnownHost(exchange.header("Host"))) {
        exchange.problem(
            421,
            "Unknown host",
            "The Host header names no host of this console; --allow-host adds one.");
        return;
      }
      Optional<Asset> file = file(exchange);
      if (file.isPresent()) {
        send(file.get(), exchange);
      } else if (login.isPresent() && exchange.isRead() && OpenIdLogin.isPath(exchange.path())) {
        login(login.get(), exchange);
      } else if (access.isEmpty()) {
        exchange.response().getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        HttpAnswer unknown =
            HttpAnswer.problem(401, "Who are you?", "This console needs to know who asks.");
        exchange.send(login.isPresent() ? unknown.with("login", OpenIdLogin.BEGIN) : unknown);
      } else if (access.get().isEmpty()) {
        exchange.problem(403, "Not allowed", access.get().name() + " has no role in this console.");
      } else if (exchange.isRead()) {
        read(access.get(), exchange);
      } else {
        change(access.get(), allowance, exchange);
      }
    }

    /** On a thread of its own kind, since the provider may take seconds. */
    private void login(OpenIdLogin openId, Exchange exchange) {
      Map<String, String> query = exchange.query();
      var unused =
          CompletableFuture.supplyAsync(
                  () -> logins.now(() -> step(openId, query, exchange)),
                  exchange.request().getComponents().getExecutor())
              .whenComplete(
                  (redirect, failure) -> {
                    if (failure == null) {
                      exchange.redirect(redirect);
                    } else {
                      exchange.send(answer(failure));
                    }
                  });
    }

    private static OpenIdLogin.Redirect step(
        OpenIdLogin openId, Map<String, String> query, Exchange exchange) {
      try {
        return openId.answer(
            exchange.request().getHttpURI().toURI(),
            exchange.cookies(),
            Optional.ofNullable(query.get("to")));
      } catch (LoginException e) {
        // anyone who reaches the port can have one fail: a line, and the trace of a cause alone
        LOG.warn("A login failed: {}", e.getMessage(), e.getCause());
        return OpenIdLogin.failed(e);
      }
    }

    private void read(Access access, Exchange exchange) {
      String who = who(Optional.of(access), exchange);
      if (exchange.path().equals(Api.EVENTS) && exchange.method().equals("GET")) {
        connections.hold(exchange.connection());
        Callback end =
            Callback.from(exchange.callback(), () -> connections.release(exchange.connection()));
        if (!streams.open(access, who, exchange.response(), end)) {
          connections.release(exchange.connection());
          exchange.problem(503, "Too many watch", "So many pages are kept up to date; close some.");
        }
      } else if (!connections.hold(exchange.connection(), who)) {
        exchange.later(exchange::refuse);
      } else {
        end(exchange, who, 0, answered(exchange, access));
      }
    }

    private CompletableFuture<HttpAnswer> answered(Exchange exchange, Access access) {
      try {
        return api.get(exchange.path(), exchange.query(), access)
            .orElseGet(() -> CompletableFuture.completedFuture(ABSENT));
      } catch (RuntimeException | Error e) { // the connection is held until it is answered
        return CompletableFuture.failedFuture(e);
      }
    }

    /**
     * Sends an answer when it is there.
     *
     * @param taken how many bytes the body of the request takes, to be given back
     */
    private void end(
        Exchange exchange, String who, int taken, CompletableFuture<HttpAnswer> answered) {
      var unused =
          answered
              .exceptionally(Routes::answer)
              .thenAccept(
                  answer -> {
                    underWay.giveBack(who, taken);
                    send(answer, who, exchange);
                  })
              .whenComplete(
                  (done, failure) -> {
                    connections.release(exchange.connection());
                    if (failure != null) {
                      LOG.warn("An answer of the console failed", failure);
                      exchange.callback().failed(failure);
                    }
                  });
    }

    private void change(Access access, Allowance allowance, Exchange exchange) {
      long length = exchange.request().getLength();
      if (!isOwnOrigin(exchange)
          || !guard.isToken(exchange.header(TOKEN), access.name())
          || !exchange.isJson()) {
        exchange.problem(
            403,
            "Not from this console",
            "A change needs the origin of this console, "
                + TOKEN
                + " from /api/v1/session, and JSON.");
      } else if (!api.isChange(exchange.path()) || !exchange.method().equals("POST")) {
        exchange.send(ABSENT);
      } else if (length < 0 || length > BODY_BYTES) {
        String right = "a body must say its length, at most " + BODY_BYTES;
        var unused =
            exchange.discarded().whenComplete((d, f) -> exchange.problem(413, "Too long", right));
      } else if (!underWay.take(allowance.who(), (int) length)) {
        exchange.later(exchange::refuse);
      } else {
        CompletableFuture<HttpAnswer> answered =
            exchange
                .body()
                .thenComposeAsync(
                    body -> {
                      if (!allowance.hasLeft()) {
                        throw new BadRequestException(503, TOO_MUCH);
                      }
                      if (!connections.hold(exchange.connection(), allowance.who())) {
                        throw new BadRequestException(503, TOO_MANY);
                      }
                      return allowance.pay(() -> api.post(exchange.path(), body, access));
                    },
                    exchange.request().getComponents().getExecutor());
        end(exchange, allowance.who(), (int) length, answered);
      }
    }

    /** Of a header that comes twice, a browser and this server could each believe another one. */
    private boolean isOwnOrigin(Exchange exchange) {
      return Stream.of("Origin", "Sec-Fetch-Site")
              .allMatch(name -> exchange.headers(name).size() <= 1)
          && guard.isOwnOrigin(
              exchange.header("Origin"),
              exchange.header("Sec-Fetch-Site"),
              exchange.header("Host"));
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

    private Identification.Claim claim(Exchange exchange) {
      return new Identification.Claim(
          exchange.header("Authorization"),
          identification.header().map(exchange::headers).orElse(List.of()),
          Connections.from(exchange.connection()),
          identification
              .cookie()
              .flatMap(name -> Optional.ofNullable(exchange.cookies().get(name))));
    }

    /** Refuses the answer itself if its receiver has taken too little of those before. */
    private void send(HttpAnswer answer, String who, Exchange exchange) {
      Optional<byte[]> body = AnswerBytes.of(answer.body(), underWay, who);
      if (body.isPresent()) {
        int length = body.get().length;
        exchange.send(
            answer,
            body.get(),
            Callback.from(exchange.callback(), () -> underWay.giveBack(who, length)));
      } else {
        exchange.later(exchange::refuse);
      }
    }
  }

  private record Exchange(Request request, Response response, Callback callback) {
    /** What the page of any answer must not do. */
    void restrict() {
      HttpFields.Mutable headers = response.getHeaders();
      headers.put("Content-Security-Policy", POLICY);
      headers.put("X-Content-Type-Options", "nosniff");
      headers.put("Referrer-Policy", "no-referrer");
      headers.put("Cross-Origin-Opener-Policy", "same-origin");
      headers.put("Cross-Origin-Resource-Policy", "same-origin");
      headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    }

    /** Holds no thread meanwhile. */
    void later(Runnable answer) {
      var unused =
          request
              .getComponents()
              .getScheduler()
              .schedule(answer, TOO_MUCH_TAKES.toMillis(), TimeUnit.MILLISECONDS);
    }

    void refuse() {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
      send(new BadRequestException(503, TOO_MUCH).answer());
    }

    String path() {
      return Optional.ofNullable(request.getHttpURI().getPath()).orElse("/");
    }

    String method() {
      return request.getMethod();
    }

    boolean isRead() {
      return method().equals("GET") || method().equals("HEAD");
    }

    boolean isJson() {
      return header("Content-Type")
          .map(HttpField::stripParameters)
          .filter("application/json"::equalsIgnoreCase)
          .isPresent();
    }

    Connection connection() {
      return request.getConnectionMetaData().getConnection();
    }

    /** By name, the first of each. */
    Map<String, String> cookies() {
      Map<String, String> cookies = new HashMap<>();
      Request.getCookies(request)
          .forEach(cookie -> cookies.putIfAbsent(cookie.getName(), cookie.getValue()));
      return cookies;
    }

    void redirect(OpenIdLogin.Redirect redirect) {
      redirect
          .cookies()
          .forEach(cookie -> response.getHeaders().add(HttpHeader.SET_COOKIE, cookie));
      response.getHeaders().put(HttpHeader.LOCATION, redirect.place());
      response.setStatus(HttpStatus.SEE_OTHER_303);
      response.write(true, BufferUtil.EMPTY_BUFFER, callback);
    }

    List<String> headers(String name) {
      return request.getHeaders().getFields(name).stream().map(HttpField::getValue).toList();
    }

    /** A header that comes once; empty if it comes more often. */
    Optional<String> header(String name) {
      return Optional.of(headers(name)).filter(all -> all.size() == 1).map(all -> all.get(0));
    }

    Map<String, String> query() {
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

    /**
     * Reads a body that is a little too long to its end: the reset of a connection with unread
     * bytes can destroy the answer on its way.
     */
    CompletableFuture<Void> discarded() {
      Callback.Completable read = new Callback.Completable();
      if (request.getLength() < 0 || request.getLength() > DISCARDED_BYTES) {
        read.succeeded();
      } else {
        Content.Source.consumeAll(request, read);
      }
      return read.orTimeout(LONGEST_BODY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Reads as the bytes come, so a slow sender holds no thread. */
    CompletableFuture<byte[]> body() {
      Promise.Completable<ByteBuffer> content = new Promise.Completable<>();
      Content.Source.asByteBuffer(request, content);
      return content
          .thenApply(BufferUtil::toArray)
          .orTimeout(LONGEST_BODY.toMillis(), TimeUnit.MILLISECONDS)
          .whenComplete(
              (bytes, failure) -> {
                if (failure != null) {
                  request.fail(failure);
                }
              });
    }

    void problem(int status, String title, String detail) {
      send(HttpAnswer.problem(status, title, detail));
    }

    void send(HttpAnswer answer) {
      send(answer, answer.body().toString().getBytes(UTF_8), callback);
    }

    void send(HttpAnswer answer, byte[] body, Callback taken) {
      response.setStatus(answer.status());
      if (!request.consumeAvailable()) {
        // what comes of the body would be taken for the next request
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
      }
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
      response.write(true, ByteBuffer.wrap(body), taken);
    }
  }
}
