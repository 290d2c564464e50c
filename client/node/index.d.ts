/** Milliseconds, or text such as "5m" and "PT90S". */
export type Duration = number | string;
/** A Date, or text in ISO 8601; without an offset it is in the schedule's timezone. */
export type Instant = Date | string;

/** The fields of a schedule, as in docs/record.md; exactly one of cron, every, rrule, at, in and time. The scheduler checks them. */
export interface Definition {
  cron?: string;
  every?: Duration;
  rrule?: string;
  /** Each day at this time, such as 16:00; mostly with business_day. */
  time?: string;
  /** One name, in place of except. */
  calendar?: string;
  anchor?: Instant;
  at?: Instant;
  in?: Duration;
  timezone?: string;
  payload?: unknown;
  [field: string]: unknown;
}

/** The value of a record that defines a schedule. A Uint8Array as the payload becomes payload_base64. Throws without exactly one trigger. */
export function definition(fields: Definition): string;
/** ISO 8601, cut to milliseconds: PT1H30M, PT0.2S, PT0S. Throws below zero. */
export function duration(ms: number): string;
/** ISO 8601 in UTC, with milliseconds if they are not zero. */
export function instant(date: Date): string;
/** The id; throws if it is none. */
export function checkId(id: string): string;
/** The partition of a key, as Kafka's clients for Java choose it: murmur2, made positive, modulo the number of partitions. */
export function partition(key: string | Uint8Array, partitions: number): number;
/** The id of the fire with this key: the same whenever the fire comes. */
export function fireId(fireKey: string, prefix?: string): string;

export type Headers = [name: string, value: string | Uint8Array][];

/** The headers of a record of the topic later, which arrives in the target then; exactly one of at and in, in ms. */
export function later(when: {
  target: string;
  at?: Date;
  in?: number;
  id?: string;
  partition?: number;
  headers?: Headers;
}): Headers;
/** The headers of a record of the topic later that cancels what waits under this name. */
export function cancel(id: string): Headers;
/** Reads a value that the scheduler has written as JSON; throws for Avro. */
export function fromJson(value: Buffer): any;

export interface Problem {
  field: string;
  message: string;
  example?: string;
}

/** The scheduler's answer to a change. */
export class Answer {
  constructor(record: object);
  scheduleId: string;
  verdict: "ACCEPTED" | "UNCHANGED" | "DELETED" | "EXECUTED" | "NOT_FOUND" | "REJECTED" | "CONFLICT";
  revision?: string;
  next?: Date;
  state?: string;
  problems: Problem[];
  warnings: Problem[];
  occurrences: Date[];
  get isAccepted(): boolean;
  /** This answer; throws Refused if it is a refusal. */
  orThrow(): this;
}

/** The scheduler has refused a change; the message has all its reasons. */
export class Refused extends Error {
  answer: Answer;
}

/** A record of the topic fires. Its value is decoded when it is first asked for. */
export class Fire {
  constructor(record: { key: Buffer; value: Buffer | null; headers?: object }, decode?: (value: Buffer) => any);
  key: string;
  headers: Record<string, string | undefined>;
  scheduleId: string;
  occurrence: Date;
  commandId?: string;
  /** The same whenever this fire comes: what to write beside the effect to have it once. */
  get id(): string;
  get cause(): string;
  get type(): string | undefined;
  /** The whole fire, with the definition of its schedule. */
  get value(): any;
  /** The payload: JSON or text, a Buffer otherwise. */
  get payload(): any;
}

/** The ids of the latest fires, in memory: a set and no high-water mark, because a backfill fills holes. */
export class Seen {
  constructor(capacity?: number);
  /** False while it remembers the id; a new id replaces the oldest one. */
  claim(fireId: string): boolean;
  /** Forgets an id: its fire has failed, and may come again. */
  release(fireId: string): void;
}
