# The scheduler as an image: docker build -t waterclock .
FROM maven:3.9.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/m2 \
    mvn -q -B -Dmaven.repo.local=/m2 -Dmaven.test.skip=true -Pquick -pl cli -am package

FROM eclipse-temurin:17.0.15_6-jre-jammy
RUN useradd --system --uid 10001 --home-dir /var/lib/waterclock --create-home waterclock
COPY --from=build /src/waterclock /src/cli/target/quick/waterclock.jar /opt/waterclock/
COPY --from=build /src/cli/target/quick/lib /opt/waterclock/lib
RUN ln -s /opt/waterclock/waterclock /usr/local/bin/waterclock
USER waterclock
WORKDIR /var/lib/waterclock
VOLUME /var/lib/waterclock
ENTRYPOINT ["waterclock"]
CMD ["run"]
