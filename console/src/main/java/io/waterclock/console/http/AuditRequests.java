package io.waterclock.console.http;

import io.waterclock.console.access.Access;
import io.waterclock.console.audit.AuditTopics;
import io.waterclock.console.audit.AuditWork;
import io.waterclock.console.audit.TrailWork;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.ReadModel;
import io.waterclock.console.model.Upcoming;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Starts audits. Thread-safe. */
record AuditRequests(
    AuditTopics.Source source, ReadModel model, JobsJson jobs, InstantSource clock) {

  CompletableFuture<HttpAnswer> audit(JsonRequest request, Access access) {
    Optional<String> id = request.text("id").map(one -> visible(one, access));
    return jobs.compute("audit", access, new AuditWork(source, id, access::sees, clock));
  }

  CompletableFuture<HttpAnswer> trail(JsonRequest request, Access access) {
    String id = visible(request.required("id"), access);
    Instant occurrence = request.instant("occurrence").truncatedTo(ChronoUnit.MILLIS);
    Upcoming upcoming = model.read(ModelQueries::upcoming);
    String zone =
        model.read(all -> all.schedule(id)).map(upcoming::zoneName).orElse(upcoming.zone().getId());
    return jobs.compute(
        "trail", access, new TrailWork(source, id, occurrence, zone, access.seesPayload(id)));
  }

  private String visible(String id, Access access) {
    if (!access.sees(id) || model.read(all -> all.schedule(id)).isEmpty()) {
      throw new BadRequestException(404, "There is no schedule " + id + ".");
    }
    return id;
  }
}
