// The vectors that the clients of all languages pass, with Node alone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as waterclock from "waterclock";

const read = (name) => JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url)));

/** What a user of this language writes. */
function native(value) {
  if (Array.isArray(value)) return value.map(native);
  if (value?.ms !== undefined) return value.ms;
  if (value?.instant) return new Date(value.instant);
  if (value?.local) return value.local;
  if (value?.hex) return Buffer.from(value.hex, "hex");
  return value;
}

const natives = (object) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, native(value)]));

test("a definition is the JSON that Java reads", () => {
  for (const { name, fields, json } of read("schedules")) {
    delete json.content_type; // the scheduler adds the media type of a JSON payload
    assert.deepEqual(JSON.parse(waterclock.definition(natives(fields))), json, name);
  }
});

test("a definition has one trigger", () => {
  for (const fields of [{}, { cron: "@daily", every: "5m" }, { every: null }, { every: -1 }]) {
    assert.throws(() => waterclock.definition(fields));
  }
});

test("durations are ISO 8601", () => {
  for (const { ms, text } of read("durations")) assert.equal(waterclock.duration(ms), text);
});

test("a key has the partition of Java's clients", () => {
  for (const { key, partitions } of read("partitions")) {
    for (const [count, expected] of Object.entries(partitions)) {
      assert.equal(waterclock.partition(key, Number(count)), expected, key);
    }
  }
});

test("ids and fires", () => {
  const ids = read("ids");
  for (const valid of [...ids.valid, "x".repeat(ids.longest)]) assert.equal(waterclock.checkId(valid), valid);
  for (const invalid of [...ids.invalid, "x".repeat(ids.longest + 1)]) {
    assert.throws(() => waterclock.checkId(invalid), invalid);
  }
  for (const { prefix, key, schedule, occurrence, command, id } of ids.fires) {
    const fire = new waterclock.Fire({ key: Buffer.from(key), headers: { ce_id: Buffer.from(id) } });
    assert.equal(waterclock.fireId(key, prefix), id);
    assert.deepEqual(
      [fire.scheduleId, fire.occurrence, fire.commandId ?? null, fire.id],
      [schedule, new Date(occurrence), command, id],
    );
  }
});

test("an id is claimed once while it is remembered", () => {
  const { capacity, ids, new: expected } = read("ids").claims;
  const seen = new waterclock.Seen(capacity);
  assert.deepEqual(ids.map((id) => seen.claim(id)), expected);
  seen.release("a");
  assert.equal(seen.claim("a"), true);
});

test("the headers of a record to be delivered later", () => {
  for (const { name, call, headers } of read("later")) {
    const given = "cancel" in call ? waterclock.cancel(call.cancel) : waterclock.later(natives(call));
    assert.deepEqual(given, headers, name);
  }
  for (const wrong of [{}, { in: -1 }, { at: new Date(), in: 1 }]) {
    assert.throws(() => waterclock.later({ target: "orders", ...wrong }));
  }
});

test("an answer is read or refuses", () => {
  for (const { value, next, refused } of read("answers")) {
    const answer = new waterclock.Answer(value);
    if (refused) {
      assert.throws(() => answer.orThrow(), { name: "Refused", message: refused });
    } else {
      assert.equal(answer.orThrow().revision, value.revision);
      assert.deepEqual(answer.next, next && new Date(next));
    }
  }
});

test("a payload is JSON or bytes, and Avro is refused by name", () => {
  const fire = (value) => new waterclock.Fire({ key: Buffer.from("a|2026-11-21T10:00:00.000Z"), value });
  assert.deepEqual(fire(Buffer.from('{"schedule":{"payload":{"n":1}}}')).payload, { n: 1 });
  assert.deepEqual(fire(Buffer.from('{"schedule":{"payload_base64":"AP8="}}')).payload, Buffer.from([0, 255]));
  assert.equal(fire(Buffer.from('{"schedule":{}}')).payload, undefined);
  assert.throws(() => fire(Buffer.from("c30115397a61", "hex")).payload, /c301/);
});
