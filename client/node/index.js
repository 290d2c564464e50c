// What travels between a service and Waterclock, without any dependency: see kafka.js for sending and reading it.
import { createHash } from "node:crypto";

const TRIGGERS = ["cron", "every", "rrule", "at", "in", "time"];
const DURATIONS = ["every", "in", "grace", "catch_up_window", "jitter", "timeout", "expires", "tolerance", "backoff"];
const NAMESPACE = Buffer.from("4f1db9f279be52c18cbc64b62aa5ff23", "hex");

export function definition(fields) {
  const given = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (name === "payload" && value instanceof Uint8Array) given.payload_base64 = Buffer.from(value).toString("base64");
    else if (typeof value === "number" && DURATIONS.includes(name)) given[name] = duration(value);
    else given[name] = name === "payload" ? value : plain(value);
  }
  const triggers = TRIGGERS.filter((name) => name in given);
  if (triggers.length !== 1) {
    throw new TypeError(`a schedule has exactly one of ${TRIGGERS.join(", ")}, not ${triggers}; for example every: "5m"`);
  }
  return JSON.stringify(given);
}

const plain = (value) => (value instanceof Date ? instant(value) : Array.isArray(value) ? value.map(plain) : value);

export function duration(ms) {
  if (!(ms >= 0)) throw new RangeError(`${ms} is no number of milliseconds, 0 or more`);
  const whole = Math.floor(ms);
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const seconds = (whole % 60_000) / 1000;
  return "PT" + ((hours ? hours + "H" : "") + (minutes ? minutes + "M" : "") + (seconds ? seconds + "S" : "") || "0S");
}

export const instant = (date) => date.toISOString().replace(".000Z", "Z");

export function checkId(id) {
  if (!/^[A-Za-z0-9][A-Za-z0-9._~:/@-]{0,254}$/.test(id)) {
    throw new TypeError(
      `${JSON.stringify(id)} is no schedule id: 1 to 255 characters, a letter or digit first, then letters, digits` +
        ' and . _ ~ : / @ - , for example "billing/invoice-42"',
    );
  }
  return id;
}

export function partition(key, partitions) {
  const data = Buffer.from(key);
  const m = 0x5bd1e995;
  let h = 0x9747b28c ^ data.length;
  const whole = data.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    let k = Math.imul(data.readInt32LE(i), m);
    k = Math.imul(k ^ (k >>> 24), m);
    h = Math.imul(h, m) ^ k;
  }
  if (whole < data.length) h = Math.imul(h ^ data.readUIntLE(whole, data.length - whole), m);
  h = Math.imul(h ^ (h >>> 13), m);
  return ((h ^ (h >>> 15)) & 0x7fffffff) % partitions;
}

export function fireId(fireKey, prefix = "waterclock") {
  const hash = createHash("sha1").update(NAMESPACE).update(`/waterclock/${prefix}|${fireKey}`).digest();
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  return hash.toString("hex", 0, 16).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

export function later({ target, at, in: delay, id, partition: to, headers = [] }) {
  if ((at === undefined) === (delay === undefined)) {
    throw new TypeError("exactly one of at and in says when, for example in: 15 * 60_000");
  }
  if (delay !== undefined && !(delay >= 0)) throw new RangeError(`a delay is 0 ms or more, this one is ${delay}`);
  const own = {
    "waterclock-at": at === undefined ? undefined : String(at.getTime()),
    "waterclock-in": delay === undefined ? undefined : `${Math.floor(delay)}ms`,
    "waterclock-target": target,
    "waterclock-partition": to === undefined ? undefined : String(to),
    ...(id === undefined ? {} : { "waterclock-id": checkId(id) }),
  };
  const kept = headers.filter(([name]) => !(name in own));
  return [...kept, ...Object.entries(own).filter(([, value]) => value !== undefined)];
}

export const cancel = (id) => [
  ["waterclock-id", checkId(id)],
  ["waterclock-cancel", "true"],
];

export function fromJson(value) {
  if (value[0] !== 0x7b) {
    const first = value.toString("hex", 0, 10);
    throw new TypeError(`the value begins with ${first} and is no JSON; set format=json, or give decode`);
  }
  return JSON.parse(value.toString());
}

export class Refused extends Error {
  constructor(answer) {
    const reasons = answer.problems
      .map(
        ({ field, message, example }) =>
          (field ? field + ": " : "") + message + (example ? "; for example " + example : ""),
      )
      .join(" | ");
    super(
      answer.verdict === "NOT_FOUND"
        ? `there is no schedule ${answer.scheduleId}`
        : `${answer.scheduleId} ${answer.verdict === "CONFLICT" ? "is not as expected" : "was rejected"}: ${reasons}`,
    );
    this.name = "Refused";
    this.answer = answer;
  }
}

export class Answer {
  constructor(record) {
    this.scheduleId = record.schedule_id;
    this.verdict = record.verdict.toUpperCase();
    this.revision = record.revision;
    this.next = record.next && new Date(record.next);
    this.state = record.state?.toUpperCase();
    this.problems = record.problems ?? [];
    this.warnings = record.warnings ?? [];
    this.occurrences = (record.occurrences ?? []).map((text) => new Date(text));
  }

  get isAccepted() {
    return !["REJECTED", "CONFLICT", "NOT_FOUND"].includes(this.verdict);
  }

  orThrow() {
    if (!this.isAccepted) throw new Refused(this);
    return this;
  }
}

export class Fire {
  #bytes;
  #decode;
  #value;

  constructor({ key, value, headers = {} }, decode = fromJson) {
    this.key = key.toString();
    this.headers = Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name, (Array.isArray(text) ? text.at(-1) : text)?.toString()]),
    );
    const [scheduleId, occurrence, ...command] = this.key.split("|");
    this.scheduleId = scheduleId;
    this.occurrence = new Date(occurrence);
    this.commandId = command.length ? command.join("|") : undefined;
    this.#bytes = value;
    this.#decode = decode;
  }

  get id() {
    return this.headers["ce_id"];
  }

  get cause() {
    return this.headers["waterclock-cause"];
  }

  get type() {
    return this.headers["waterclock-type"];
  }

  get value() {
    return (this.#value ??= this.#decode(this.#bytes));
  }

  get payload() {
    const { payload, payload_base64: base64 } = this.value.schedule;
    return base64 === undefined ? payload : Buffer.from(base64, "base64");
  }
}

export class Seen {
  #capacity;
  #ids = new Set();

  constructor(capacity = 100_000) {
    if (!(capacity >= 1)) throw new RangeError(`capacity ${capacity} must be at least 1`);
    this.#capacity = capacity;
  }

  claim(fireId) {
    if (this.#ids.has(fireId)) return false;
    this.#ids.add(fireId);
    if (this.#ids.size > this.#capacity) this.#ids.delete(this.#ids.values().next().value);
    return true;
  }

  release(fireId) {
    this.#ids.delete(fireId);
  }
}
