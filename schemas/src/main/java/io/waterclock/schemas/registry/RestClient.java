package io.waterclock.schemas.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests to a registry over HTTP: to each of its addresses in turn until one answers,
 * starting with the one that answered last. A response is an answer (200), a refusal (404, 409 or
 * 422 with an error code of the registry, or an answer of more than {@value #LONGEST} bytes), or
 * unusable: a page of a proxy, a server error, a rejected credential. Blocks. Thread-safe.
 */
final class RestClient {
  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";

  /** In bytes. Inclusive. */
  static final int LONGEST = 1 << 20;

  /** The code of a refusal of an answer that is longer. */
  static final int TOO_LONG = 413;

  private static final Set<Integer> REFUSALS = Set.of(404, 409, 422);

  private final RegistrySettings settings;
  private final HttpClient http;
  private final ObjectMapper json = new ObjectMapper();
  private volatile int preferred;

  RestClient(RegistrySettings settings) {
    this.settings = settings;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(settings.connectTimeout())
            .followRedirects(HttpClient.Redirect.NORMAL);
    settings.tls().ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /**
   * @param path from the base address on, escaped
   */
  JsonNode get(String path) {
    return ask(path, Optional.empty());
  }

  JsonNode post(String path, JsonNode body) {
    return ask(path, Optional.of(body.toString()));
  }

  /**
   * @throws RefusalException if the registry refuses
   * @throws AwayException if no address answers
   */
  private JsonNode ask(String path, Optional<String> body) {
    List<String> failures = new ArrayList<>();
    int count = settings.endpoints().size();
    int first = preferred;
    for (int i = 0; i < count; i++) {
      int index = (first + i) % count;
      Endpoint endpoint = settings.endpoints().get(index);
      try {
        JsonNode answer = answer(send(endpoint, path, body));
        preferred = index;
        return answer;
      } catch (NoAnswerException e) {
        failures.add(endpoint + ": " + e.getMessage());
      }
    }
    throw new AwayException(String.join("; ", failures));
  }

  private HttpResponse<byte[]> send(Endpoint endpoint, String path, Optional<String> body)
      throws NoAnswerException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint.at(path))
            .header("Accept", MEDIA_TYPE + ", application/json");
    endpoint.authorization().ifPresent(value -> request.header("Authorization", value));
    body.ifPresent(
        text ->
            request
                .header("Content-Type", MEDIA_TYPE)
                .POST(HttpRequest.BodyPublishers.ofString(text)));
    CompletableFuture<HttpResponse<byte[]>> response =
        http.sendAsync(request.build(), answer -> new LimitedBody(LONGEST));
    try {
      // the time-out of a request would end with the headers
      return response.get(settings.readTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      response.cancel(true);
      throw new NoAnswerException("no answer within " + settings.readTimeout().toMillis() + " ms");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LimitedBody.TooLongException) {
        throw new RefusalException(TOO_LONG, "its answer has more than " + LONGEST + " bytes");
      }
      throw new NoAnswerException(reason(e.getCause() == null ? e : e.getCause()));
    } catch (InterruptedException e) {
      response.cancel(true);
      Thread.currentThread().interrupt();
      throw new NoAnswerException("interrupted");
    }
  }

  /** Java reports a refused connection only in the class name of the exception. */
  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getMessage() == null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String name = cause.getClass().getSimpleName();
    return cause.getMessage() == null ? name : name + " " + cause.getMessage();
  }

  private JsonNode answer(HttpResponse<byte[]> response) throws NoAnswerException {
    int status = response.statusCode();
    JsonNode body = parse(response.body()).orElseGet(json::nullNode);
    int code = body.path("error_code").asInt(status);
    if (status == 200 && body.isContainerNode()) {
      return body;
    }
    if (REFUSALS.contains(status) && code != 404 && body.has("error_code")) {
      throw new RefusalException(code, body.path("message").asText("no reason given"));
    }
    throw new NoAnswerException(
        switch (status) {
          case 200 -> "answered with no JSON; is this the address of a schema registry?";
          case 401, 403 -> "refuses the credentials (HTTP " + status + ")";
          case 404 -> "has no such resource (HTTP 404); is this the address of a schema registry?";
          default -> "answered HTTP " + status + " " + body.path("message").asText("");
        });
  }

  private Optional<JsonNode> parse(byte[] body) {
    try {
      return Optional.ofNullable(json.readTree(body));
    } catch (IOException e) {
      return Optional.empty(); // no JSON: the bytes are in memory
    }
  }

  /** No address of the registry gave a usable answer. A later attempt may succeed. */
  static final class AwayException extends RuntimeException {
    AwayException(String message) {
      super(message);
    }
  }

  /** The registry has answered, and said no. */
  static final class RefusalException extends RuntimeException {
    private final int code;

    /**
     * @param code the registry's own, such as 40403
     */
    RefusalException(int code, String message) {
      super(message + " (error " + code + ")");
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  /** An address has given no answer that is of use. */
  private static final class NoAnswerException extends Exception {
    NoAnswerException(String message) {
      super(message);
    }
  }
}
