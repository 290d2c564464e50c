# The scheduler as an image: docker build -t waterclock:0.1.0 .
FROM maven:3.9.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/m2 \
    mvn -q -B -Dmaven.repo.local=/m2 -Dmaven.test.skip=true -Pquick -Drelease.phase=package -pl cli -am package

# our plug-ins, packed, and Debezium's
FROM build AS plugins
RUN --mount=type=cache,target=/m2 \
    mvn -q -B -Dmaven.repo.local=/m2 -Dmaven.test.skip=true -Pquick -Ddebezium.skip=false -pl connectors -am pre-integration-test && \
    mkdir /plugins && cd /plugins && \
    jar xf /src/connectors/target/quick/waterclock-connectors-*-plugin.zip && \
    mv /src/connectors/target/quick/debezium/* .

# Kafka Connect with them: docker build --target connect -t waterclock-connect:0.1.0 .
FROM apache/kafka:4.4.0 AS connect
COPY --from=plugins /plugins /opt/plugins
USER appuser
CMD ["/opt/kafka/bin/connect-distributed.sh", "/etc/connect/connect-distributed.properties"]

FROM eclipse-temurin:17.0.15_6-jre-jammy AS scheduler
RUN groupadd --system --gid 10001 waterclock && \
    useradd --system --uid 10001 --gid 10001 --home-dir /var/lib/waterclock --create-home waterclock
COPY --from=build /src/waterclock /src/cli/target/quick/waterclock.jar /opt/waterclock/
COPY --from=build /src/cli/target/quick/lib /opt/waterclock/lib
COPY --from=build /src/cli/target/quick/sbom/waterclock.cdx.json /src/cli/target/quick/licences/THIRD-PARTY.txt /opt/waterclock/
RUN ln -s /opt/waterclock/waterclock /usr/local/bin/waterclock
# a number: an orchestrator that wants no root cannot look names up
USER 10001
ENV WATERCLOCK_STATE_DIR=/var/lib/waterclock/state
WORKDIR /var/lib/waterclock
VOLUME /var/lib/waterclock
ENTRYPOINT ["waterclock"]
CMD ["run"]
