package io.waterclock.cli.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.waterclock.schemas.json.ScheduleJson;
import java.io.IOException;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EditorSchemaTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSchema SCHEMA =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(EditorSchema.text());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'schedule':'a','cron':'0 9 * * 1-5','timezone':'Europe/Berlin','catch_up':'replay'}",
        "{'schedule':'a','every':'1 month','anchor':'2026-01-31T09:00:00Z','grace':'60s'}",
        "{'schedule':'a','at':'now','payload':{'x':[1]},'labels':{'team':'x'},'priority':-1}",
        "{'schedule':'a','in':'PT90S','overlap':'Buffer-One','target':{'topic':'t'}}",
        "{'schedule':'a','rrule':'FREQ=DAILY','timeout':'none','skip':['2026-12-24T09:00:00Z']}",
        "{'calendar':'c','dates':['2026-12-25','2026-12-31/2027-01-01'],'weekdays':['sat']}",
        "[{'schedule':'a','every':'5m','owner':null},{'calendar':'c','dates':[]}]",
      })
  void a_right_definition_is_valid(String json) throws IOException {
    assertThat(SCHEMA.validate(JSON.readTree(json.replace('\'', '"')))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'cron':'0 9 * * *'}",
        "{'schedule':'a'}",
        "{'schedule':'a','cron':'0 9 * * *','every':'5m'}",
        "{'schedule':'a','cron':'0 9 * * *','timezne':'UTC'}",
        "{'schedule':'a','cron':'0 9 * * *','catch_up':'replays'}",
        "{'schedule':'a','cron':'0 9 * * *','max_attempts':'4'}",
        "{'schedule':'a','cron':'0 9 * * *','target':{'topc':'t'}}",
        "{'calendar':'c','dates':['25.12.2026']}",
        "'text'",
      })
  void a_wrong_definition_is_invalid(String json) throws IOException {
    assertThat(SCHEMA.validate(JSON.readTree(json.replace('\'', '"')))).isNotEmpty();
  }

  @Test
  void the_reader_knows_every_property() throws IOException {
    ObjectNode everything = JSON.createObjectNode();
    JsonNode properties = JSON.readTree(EditorSchema.text()).at("/$defs/schedule/properties");
    properties.fieldNames().forEachRemaining(name -> everything.put(name, "x"));
    everything.remove("schedule");
    assertThat(properties.size()).isGreaterThan(40);
    assertThat(ScheduleJson.read(everything, ZoneOffset.UTC).problems())
        .noneMatch(problem -> problem.getMessage().contains("unknown field"));
  }

  @Test
  void every_field_has_a_description() throws IOException {
    JsonNode properties = JSON.readTree(EditorSchema.text()).at("/$defs/schedule/properties");
    assertThat(properties.at("/grace/description").asText()).contains("counts as missed");
    assertThat(properties.at("/cron/description").asText()).contains("five fields");
  }
}
