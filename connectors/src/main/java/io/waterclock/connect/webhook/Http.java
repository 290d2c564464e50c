package io.waterclock.connect.webhook;

import io.waterclock.connect.PluginVersion;
import io.waterclock.connect.rules.HttpHeader;
import io.waterclock.connect.rules.HttpResult;
import io.waterclock.schemas.threads.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Sends POST requests. It follows no redirects, keeps no cookies, uses no proxy, and connects only
 * to addresses that its resolver allows. Thread-safe.
 */
final class Http implements AutoCloseable {
  private static final int MOST_READ = 64 * 1024;
  private static final int MOST_HEADERS = 200;
  private static final int LONGEST_LINE = 16 * 1024;
  private static final TimeValue TRUSTED_IDLE = TimeValue.ofSeconds(2);
  private static final TimeValue LONGEST_LIFE = TimeValue.ofMinutes(5);

  private final CloseableHttpClient client;
  private final Duration requestTimeout;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("webhook-timer"));

  Http(
      CheckedResolver resolver, Duration connectTimeout, Duration requestTimeout, int connections) {
    this.requestTimeout = requestTimeout;
    Timeout whole = Timeout.of(requestTimeout);
    this.client =
        HttpClients.custom()
            .setConnectionManager(
                PoolingHttpClientConnectionManagerBuilder.create()
                    .setDnsResolver(resolver)
                    .setConnectionFactory(
                        ManagedHttpClientConnectionFactory.builder()
                            .http1Config(
                                Http1Config.custom()
                                    .setMaxHeaderCount(MOST_HEADERS)
                                    .setMaxLineLength(LONGEST_LINE)
                                    .build())
                            .build())
                    .setMaxConnTotal(connections)
                    .setMaxConnPerRoute(connections)
                    .setDefaultConnectionConfig(
                        ConnectionConfig.custom()
                            .setConnectTimeout(Timeout.of(connectTimeout))
                            .setSocketTimeout(whole)
                            .setValidateAfterInactivity(TRUSTED_IDLE)
                            .setTimeToLive(LONGEST_LIFE)
                            .build())
                    .build())
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setConnectionRequestTimeout(whole)
                    .setResponseTimeout(whole)
                    .build())
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .setUserAgent("waterclock/" + PluginVersion.get())
            .build();
  }

  /**
   * @param running receives an action that aborts the request, before the request starts
   * @throws IOException if there is no answer within the request timeout
   */
  HttpResult.Status post(URI url, List<HttpHeader> headers, byte[] body, Consumer<Runnable> running)
      throws IOException {
    HttpPost post = new HttpPost(url);
    headers.forEach(header -> post.addHeader(header.name(), header.value()));
    post.setEntity(new ByteArrayEntity(body, null));
    running.accept(post::abort);
    ScheduledFuture<?> end =
        timer.schedule(post::abort, requestTimeout.toMillis(), TimeUnit.MILLISECONDS);
    try (ClassicHttpResponse response = client.executeOpen(null, post, null)) {
      Header retryAfter = response.getFirstHeader("Retry-After");
      return new HttpResult.Status(
          response.getCode(),
          Optional.ofNullable(retryAfter).map(Header::getValue),
          read(response));
    } catch (IOException e) {
      throw post.isAborted() ? new IOException("no answer within " + requestTimeout, e) : e;
    } finally {
      end.cancel(false);
    }
  }

  private static String read(ClassicHttpResponse response) throws IOException {
    if (response.getEntity() == null) {
      return "";
    }
    InputStream content = response.getEntity().getContent();
    return content == null ? "" : new String(content.readNBytes(MOST_READ), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    client.close(CloseMode.IMMEDIATE);
  }
}
