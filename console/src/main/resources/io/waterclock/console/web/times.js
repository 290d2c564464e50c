// Instants for people, in the zone that the switch chooses: the browser's, the schedule's, or UTC.

const MODE = 'waterclock.zone';
export const MODES = { local: 'Local time', schedule: 'Schedule’s zone', utc: 'UTC' };

export function mode() {
  const known = localStorage.getItem(MODE);
  return known in MODES ? known : 'local';
}

export function setMode(value) {
  localStorage.setItem(MODE, value);
}

function zone(scheduleZone) {
  switch (mode()) {
    case 'utc': return 'UTC';
    case 'schedule': return scheduleZone || 'UTC';
    default: return undefined;
  }
}

const formats = new Map();

function format(timeZone, options) {
  const key = `${timeZone}|${JSON.stringify(options)}`;
  if (!formats.has(key)) {
    let made;
    try {
      made = new Intl.DateTimeFormat(undefined, { ...options, timeZone });
    } catch {
      made = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC', timeZoneName: 'short' });
    }
    formats.set(key, made);
  }
  return formats.get(key);
}

// What is no instant for a browser, such as a text in an address or a year beyond 275760, stays as it is.
function instant(iso, text) {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? String(iso) : text(at);
}

export function full(iso, scheduleZone) {
  return instant(iso, (at) => format(zone(scheduleZone), {
    weekday: 'short', year: 'numeric', month: 'short', day: 'numeric',
    hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short',
  }).format(at));
}

export function short(iso, scheduleZone) {
  return instant(iso, (at) => format(zone(scheduleZone), Math.abs(Date.now() - at) < 12 * 3600e3
    ? { hour: '2-digit', minute: '2-digit', second: '2-digit' }
    : { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }).format(at));
}

export function browserZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

// What a field of date and time means: UTC if the switch says so, else the browser's zone.
export function inputZone() {
  return mode() === 'utc' ? 'UTC' : 'local time';
}

export function fromInput(value) {
  const at = new Date(mode() === 'utc' ? `${value}Z` : value);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

export function toInput(ms) {
  const shift = mode() === 'utc' ? 0 : new Date(ms).getTimezoneOffset() * 60000;
  return new Date(ms - shift).toISOString().slice(0, 16);
}

export function minute(seconds) {
  return format(zone(), { hour: '2-digit', minute: '2-digit' }).format(new Date(seconds * 1000));
}

const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const UNITS = [['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];

export function relative(iso, now = Date.now()) {
  return instant(iso, (at) => {
    const seconds = (at - now) / 1000;
    const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) || ['second', 1];
    return relativeFormat.format(Math.round(seconds / size), unit);
  });
}

const numberFormat = new Intl.NumberFormat();
const compactFormat = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

export function count(number, most = 100000) {
  return number < most ? numberFormat.format(number) : compactFormat.format(number);
}

export function dayAndHour(ms) {
  const at = new Date(ms);
  return {
    day: format(zone(), { weekday: 'short', day: 'numeric' }).format(at),
    hour: `${format(zone(), { hour: '2-digit', hourCycle: 'h23' }).formatToParts(at).find((part) => part.type === 'hour').value}:00`,
  };
}

const upToOneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

// A length of time, in at most two units: 840 ms, 1.5 s, 1 min 20 s, 3 h.
export function milliseconds(ms) {
  if (ms === undefined || ms === null) return '–';
  if (Math.abs(ms) < 1000) return `${numberFormat.format(ms)} ms`;
  if (Math.abs(ms) < 59950) return `${upToOneDigit.format(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const [unit, size, smaller, part] = seconds < 3600 ? ['min', 60, 's', 1] : seconds < 86400 ? ['h', 3600, 'min', 60] : ['d', 86400, 'h', 3600];
  const whole = Math.round(seconds / part) * part;
  return [[Math.trunc(whole / size), unit], [(whole % size) / part, smaller]]
    .filter(([number]) => number).map(([number, name]) => `${numberFormat.format(number)} ${name}`).join(' ');
}

const decades = (most) => Array.from({ length: most }, (unused, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

// The distances between the ticks of an axis: 1, 2 and 5 of the unit in which people read the number.
export const COUNT_STEPS = decades(12);
export const TIME_STEPS = [
  ...decades(3), ...[1, 2, 5, 10, 20].map((seconds) => seconds * 1e3), ...[1, 2, 5, 10, 20].map((minutes) => minutes * 60e3),
  ...[1, 2, 5, 10].map((hours) => hours * 3600e3), ...decades(3).map((days) => days * 86400e3),
];
