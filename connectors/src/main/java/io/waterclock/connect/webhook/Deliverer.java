package io.waterclock.connect.webhook;

import io.waterclock.connect.rules.DeliveryDecision;
import io.waterclock.connect.rules.Destinations.Destination;
import io.waterclock.connect.rules.EventForm;
import io.waterclock.connect.rules.HttpHeader;
import io.waterclock.connect.rules.HttpResult;
import io.waterclock.connect.rules.UrlPattern;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.log.SafeLogger;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;

/** Makes the attempts to deliver fires, and reports the result of each. Thread-safe. */
final class Deliverer {
  private static final Logger LOG = SafeLogger.of(Deliverer.class);
  private static final int UNAUTHORIZED = 401;

  /** Gets the results. Thread-safe. */
  interface Results {
    void again(Delivery delivery, Duration pause);

    /** The delivery needs no further attempt; {@code failure} is empty if it has not failed. */
    void ended(Delivery delivery, Optional<String> failure);

    /** The connector cannot continue: it is out of memory, or a class is missing. */
    void broken(Error error);
  }

  private final WebhookConfig config;
  private final Http http;
  private final Authorizer authorizer;
  private final Outcomes outcomes;
  private final Results results;
  private final InstantSource clock;
  private final RetryLog retryLog = new RetryLog();

  Deliverer(
      WebhookConfig config, Http http, Outcomes outcomes, Results results, InstantSource clock) {
    this.config = config;
    this.http = http;
    this.authorizer = new Authorizer(config.authentication(), http, clock);
    this.outcomes = outcomes;
    this.results = results;
    this.clock = clock;
  }

  /** Delivers a fire, or gives it up. */
  void attempt(Delivery delivery) {
    try {
      if (delivery.attempts() > 0 || !gaveUp(delivery)) {
        decide(delivery);
      }
    } catch (RuntimeException e) {
      if (!delivery.isCancelled()) {
        LOG.error("{} could not be delivered", delivery.fireKey(), e);
        end(delivery, OutcomeState.FAILED, "a fault of the connector: " + e);
      }
    } catch (Error e) {
      results.broken(e);
      throw e;
    }
  }

  /**
   * Gives a delivery up without an attempt if it is hopeless.
   *
   * @return whether it did
   */
  boolean gaveUp(Delivery delivery) {
    Instant now = clock.instant();
    if (!delivery.isHopeless(config.patience(), now)) {
      return false;
    }
    String since = delivery.patientSince().map(Instant::toString).orElse("");
    end(
        delivery,
        OutcomeState.FAILED,
        "not sent: requests of this schedule have failed since "
            + since
            + ", and too many of its fires wait");
    return true;
  }

  private void decide(Delivery delivery) {
    Instant now = clock.instant();
    if (isExpired(delivery.fire(), now)) {
      end(delivery, OutcomeState.DROPPED, "expired");
      return;
    }
    Destination destination = config.destinations().of(delivery.fire());
    if (destination instanceof Destination.Refused refused) {
      end(delivery, OutcomeState.FAILED, refused.reason());
      return;
    }
    int attempt = delivery.begin(now);
    if (attempt == 1) {
      outcomes.started(delivery);
    }
    URI url = ((Destination.Found) destination).url();
    HttpResult result = send(delivery, url);
    if (delivery.isCancelled()) {
      return;
    }
    Instant answered = clock.instant();
    DeliveryDecision decision =
        config
            .retries()
            .after(result, attempt, answered, deadline(delivery), ThreadLocalRandom.current());
    if (decision instanceof DeliveryDecision.Again again) {
      retryLog.again(url, delivery, again.reason(), answered);
      results.again(delivery, Duration.between(answered, again.at()));
    } else if (decision instanceof DeliveryDecision.Delivered delivered) {
      delivery.accept();
      end(delivery, OutcomeState.SUCCEEDED, delivered.answer());
    } else {
      end(delivery, OutcomeState.FAILED, ((DeliveryDecision.GivenUp) decision).reason());
    }
  }

  private static boolean isExpired(Fire fire, Instant now) {
    Long expiresMs = fire.getSchedule().getExpiresMs();
    return expiresMs != null && !now.isBefore(fire.getFiredAt().plusMillis(expiresMs));
  }

  /**
   * The patience counts from when the receiver began to fail, also with an earlier fire of the
   * schedule. The schedule's timeout limits all attempts for one fire together.
   */
  private Instant deadline(Delivery delivery) {
    Instant ours = delivery.patientSince().orElseThrow().plus(config.patience());
    Long timeoutMs = delivery.fire().getSchedule().getTimeoutMs();
    Instant begun = delivery.startedAt().orElseThrow();
    Instant theirs = timeoutMs == null ? ours : begun.plusMillis(timeoutMs);
    return theirs.isBefore(ours) ? theirs : ours;
  }

  private HttpResult send(Delivery delivery, URI url) {
    EventForm.Message message = config.form().of(delivery.fire(), delivery.fireKey());
    try {
      Optional<String> authorization = authorizer.authorization();
      HttpResult.Status response = post(delivery, url, message, authorization);
      if (response.code() == UNAUTHORIZED && authorizer.refused(authorization)) {
        response = post(delivery, url, message, authorizer.authorization());
      }
      return response;
    } catch (CheckedResolver.ForbiddenAddressException e) {
      return new HttpResult.None(String.valueOf(e.getMessage()), false);
    } catch (IOException e) {
      return new HttpResult.None(
          "no answer from " + UrlPattern.origin(url) + ": " + reason(e), true);
    }
  }

  private HttpResult.Status post(
      Delivery delivery, URI url, EventForm.Message message, Optional<String> authorization)
      throws IOException {
    List<HttpHeader> headers = new ArrayList<>(message.headers());
    authorization.ifPresent(value -> headers.add(new HttpHeader("Authorization", value)));
    config
        .signature()
        .ifPresent(
            signature ->
                headers.addAll(
                    signature.headers(delivery.fire(), url, clock.instant(), message.body())));
    return http.post(url, headers, message.body(), delivery::running);
  }

  private void end(Delivery delivery, OutcomeState state, String text) {
    if (state == OutcomeState.DROPPED) {
      LOG.info("{} is not delivered: {}", delivery.fireKey(), text);
    }
    outcomes.ended(
        delivery,
        state,
        text,
        clock.instant(),
        () ->
            results.ended(delivery, Optional.of(text).filter(why -> state == OutcomeState.FAILED)));
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
