package com.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.KafkaSecurity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecuredBrokerTest {
  private static final AclBinding APP_MAY_CREATE =
      new AclBinding(
          new ResourcePattern(ResourceType.TOPIC, "app.", PatternType.PREFIXED),
          new AccessControlEntry("User:app", "*", AclOperation.CREATE, AclPermissionType.ALLOW));

  @TempDir Path dir;

  @Test
  void a_user_may_do_what_an_acl_allows_and_nothing_else() throws Exception {
    KafkaSecurity security =
        KafkaSecurity.in(dir.resolve("security"))
            .superUser("admin", "s3cret")
            .user("app", "pass; with=signs");
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, security);
        Admin admin = Admin.create(security.client(kafka.bootstrapServers(), "admin"));
        Admin app = Admin.create(security.client(kafka.bootstrapServers(), "app"))) {
      assertThatThrownBy(() -> create(app, "app.one"))
          .hasCauseInstanceOf(TopicAuthorizationException.class);
      admin.createAcls(List.of(APP_MAY_CREATE)).all().get(); // at any time
      await().ignoreExceptions().untilAsserted(() -> create(app, "app.one"));
      assertThatThrownBy(() -> create(app, "other"))
          .hasCauseInstanceOf(TopicAuthorizationException.class);
      assertThat(admin.listTopics().names().get()).containsExactly("app.one");
    }
  }

  private static void create(Admin admin, String topic)
      throws ExecutionException, InterruptedException {
    NewTopic wanted = new NewTopic(topic, Optional.empty(), Optional.empty());
    admin.createTopics(List.of(wanted)).all().get();
  }
}
