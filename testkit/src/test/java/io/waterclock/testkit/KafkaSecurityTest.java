package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class KafkaSecurityTest {
  private static final AclBinding APP_MAY_CREATE =
      new AclBinding(
          new ResourcePattern(ResourceType.TOPIC, "app.", PatternType.PREFIXED),
          new AccessControlEntry("User:app", "*", AclOperation.CREATE, AclPermissionType.ALLOW));

  @TempDir Path dir;

  @Test
  void who_does_not_know_the_password_is_not_let_in() {
    KafkaSecurity security = security();
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, security)) {
      Map<String, Object> client =
          new HashMap<>(security.client(kafka.bootstrapServers(), "admin"));
      client.computeIfPresent(
          "sasl.jaas.config", (key, jaas) -> ((String) jaas).replace("s3cret", "guess"));
      try (Admin stranger = Admin.create(client)) {
        assertThatThrownBy(() -> stranger.listTopics().names().get())
            .hasCauseInstanceOf(SaslAuthenticationException.class);
      }
    }
  }

  @Test
  @Tag("all")
  void a_process_that_is_killed_starts_again_with_its_users_and_acls() throws Exception {
    KafkaSecurity security = security();
    try (KafkaProcess kafka = KafkaProcess.start(dir.resolve("kafka"), 0, security);
        Admin admin = Admin.create(security.client(kafka.bootstrapServers(), "admin"))) {
      admin.createAcls(List.of(APP_MAY_CREATE)).all().get();
      kafka.kill();
    }
    KafkaSecurity again = security();
    try (KafkaProcess kafka = KafkaProcess.start(dir.resolve("kafka"), 0, again);
        Admin app = Admin.create(again.client(kafka.bootstrapServers(), "app"))) {
      create(app, "app.one");
    }
  }

  private KafkaSecurity security() {
    return KafkaSecurity.in(dir.resolve("security"))
        .superUser("admin", "s3cret")
        .user("app", "pass; with=signs");
  }

  private static void create(Admin admin, String topic)
      throws ExecutionException, InterruptedException {
    admin
        .createTopics(List.of(new NewTopic(topic, Optional.empty(), Optional.empty())))
        .all()
        .get();
  }
}
