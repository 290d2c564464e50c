// What the coming week holds: by hour and day, and minute by minute.

import { h, Fragment, Table, Panel, Time, Choice, idLink, useAnswer, useEffect, useRef, useState } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';

const HOUR = 3600e3;
const MINUTE = 60e3;
const STEPS = 6;

// Hours of the chosen zone: [{at, day, hour, peak, total}], in order of time.
function hours(load) {
  const from = new Date(load.from).getTime();
  const byHour = new Map();
  load.minutes.forEach((occurrences, index) => {
    const at = from + index * MINUTE;
    const start = Math.floor(at / (HOUR / 4)) * (HOUR / 4);
    const { day, hour } = times.dayAndHour(start);
    const key = `${day} ${hour}`;
    if (!byHour.has(key)) byHour.set(key, { at: start, day, hour, peak: 0, total: 0, minutes: [] });
    const one = byHour.get(key);
    one.peak = Math.max(one.peak, occurrences);
    one.total += occurrences;
    one.minutes.push({ at, occurrences });
  });
  return [...byHour.values()];
}

// 0 for nothing; then by orders of magnitude between the emptiest and the fullest hour. An even load is no alarm.
function step(peak, least, greatest) {
  if (!peak) return 0;
  if (greatest < 2 * least) return 2;
  return 1 + Math.round(((STEPS - 1) * Math.log(peak / least)) / Math.log(greatest / least));
}

function HeatMap({ cells, chosen, onChoose }) {
  const days = [...new Set(cells.map((cell) => cell.day))];
  const names = [...new Set(cells.map((cell) => cell.hour))].sort();
  const peaks = cells.map((cell) => cell.peak).filter(Boolean);
  const greatest = Math.max(...peaks);
  const least = Math.min(...peaks);
  const at = new Map(cells.map((cell) => [`${cell.day} ${cell.hour}`, cell]));
  const grid = useRef(null);
  const keyed = (event) => {
    const move = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    const place = event.target.dataset.place?.split(',').map(Number);
    if (!move || !place) return;
    event.preventDefault();
    const next = grid.current.querySelector(`[data-place="${place[0] + move[0]},${place[1] + move[1]}"]`);
    next?.focus();
  };
  const first = cells.find((cell) => cell.peak) || cells[0];
  const current = chosen || first;
  return h('div', null, h('div', { class: 'heat-scroll', ref: grid, onKeyDown: keyed },
    h('table', { class: 'heat' },
      h('caption', { class: 'sr' }, 'The fullest minute of each hour of the coming week. Arrow keys move, Enter chooses an hour.'),
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, h('span', { class: 'sr' }, 'Hour')), days.map((day) => h('th', { scope: 'col' }, day)))),
      h('tbody', null, names.map((hour, row) => h('tr', { key: hour },
        h('th', { scope: 'row' }, hour),
        days.map((day, column) => {
          const cell = at.get(`${day} ${hour}`);
          if (!cell) return h('td', null);
          const text = `${day} ${hour}: ${cell.peak ? `up to ${times.count(cell.peak)} a minute, ${times.count(cell.total)} in the hour` : 'nothing'}`;
          return h('td', null, h('button', {
            class: `step-${step(cell.peak, least, greatest)}`, title: text, 'aria-label': text, 'data-place': `${column},${row}`,
            tabIndex: cell.day === current.day && cell.hour === current.hour ? 0 : -1,
            'aria-pressed': chosen?.day === cell.day && chosen?.hour === cell.hour, onClick: () => onChoose(cell),
          }, cell.peak ? times.count(cell.peak, 10000) : ''));
        })))))), h(Legend, { least, greatest }));
}

// From how many occurrences in its fullest minute on an hour has each colour.
function Legend({ least, greatest }) {
  if (!Number.isFinite(least)) return null;
  const from = (number) => (number === 1 ? least : Math.ceil(least * (greatest / least) ** ((number - 1.5) / (STEPS - 1))));
  const steps = greatest < 2 * least ? [[2, least]] : Array.from({ length: STEPS }, (unused, index) => [index + 1, from(index + 1)]);
  return h('p', { class: 'legend heat-legend' }, 'In the fullest minute:',
    h('span', null, h('i', { class: 'step-0' }), 'none'),
    steps.filter(([, count], index) => index === 0 || count > steps[index - 1][1]).map(([number, count]) => h('span', { key: number }, h('i', { class: `step-${number}` }), `from ${times.count(count)}`)));
}

const BY = [['', 'all together'], ['owner', 'owner'], ['label', 'label'], ['target', 'target'], ['partition', 'partition'], ['limit', 'limit']];
const JITTERS = [['', 'as it is'], ['1m', 'up to 1 minute'], ['5m', 'up to 5 minutes'], ['15m', 'up to 15 minutes'], ['1h', 'up to 1 hour']];
const NAMES = ['by', 'label', 'value', 'jitter'];

function hash(current, change) {
  const entries = Object.entries({ ...current, ...change }).filter(([name, value]) => value || (name === 'value' && value === ''));
  return `#/load?${new URLSearchParams(entries)}`;
}

const counted = (number, what) => `${times.count(number)} ${what}${number === 1 ? '' : 's'}`;
const capital = (word) => word[0].toUpperCase() + word.slice(1);

function Groups({ load, question }) {
  return h(Panel, { title: `By ${question.by}`, note: counted(load.groups.length, 'group') }, h(Table, {
    caption: `Load by ${question.by}`, rows: load.groups, empty: question.by === 'label' && !question.label ? 'Name a label above.' : question.by === 'limit' ? 'No schedule that is due in the coming week names a limit.' : 'Nothing is due in the coming week.', keyOf: (row) => row.name,
    columns: [
      [question.by === 'label' ? question.label || 'Label' : capital(question.by), (row) => (row.name === '…' ? 'all others' : h('a', { href: hash(question, { value: row.name }), 'aria-current': question.value === row.name ? 'true' : undefined }, row.name || 'none'))],
      ['Fullest minute', (row) => times.count(row.fullest)],
      ['Occurrences', (row) => times.count(row.occurrences)],
      ['Schedules', (row) => times.count(row.schedules)],
      ...(question.by === 'limit' ? [['Longest queue', (row) => (row.limited ? h(Longest, { limited: row.limited }) : '')]] : []),
    ],
  }));
}

// When the last fire of a queue has started.
function Drained({ queue }) {
  return queue.to ? h(Fragment, null, 'drains by ', h(Time, { at: queue.to })) : 'does not drain within the week';
}

function Longest({ limited }) {
  if (!limited.longest) return 'nothing waits for a minute';
  return h('span', null, h(Time, { at: limited.longest.from }), `: up to ${times.count(limited.longest.most)} wait, `, h(Drained, { queue: limited.longest }));
}

// What the chosen limit makes of the load: each time in which fires wait for more than a minute.
function Queues({ limited }) {
  const run = limited.run_ms === undefined ? 'no run of its schedules is known, so only its rate and its windows count' : `a run takes ${times.milliseconds(limited.run_ms)}, the mean of those known`;
  return h(Panel, { title: 'What waits', note: `${limited.count > limited.queues.length ? `the first ${limited.queues.length} of ${times.count(limited.count)}` : times.count(limited.count)} ${limited.count === 1 ? 'queue' : 'queues'}; ${run}` }, h(Table, {
    caption: 'When fires wait for this limit', rows: limited.queues, empty: 'Nothing waits for more than a minute.', keyOf: (row) => row.from,
    columns: [
      ['From', (row) => h(Time, { at: row.from, words: true })],
      ['Waiting', (row) => `up to ${times.count(row.most)}`],
      ['Drained', (row) => h(Drained, { queue: row })],
    ],
  }));
}

function Minute({ at, question }) {
  const ask = () => api.get('/api/v1/schedules', { minute: at, limit: 100, by: question.by, label: question.label, ...(question.value === undefined ? {} : { value: question.value }) });
  const { answer, problem } = useAnswer(ask, at);
  if (problem) return h('p', { class: 'problem', role: 'alert' }, problem);
  if (!answer) return h('p', { class: 'empty', role: 'status' }, 'Loading …');
  return h(Panel, {
    title: h(Fragment, null, 'Due in the minute from ', h(Time, { at })),
    note: answer.cut ? `at least ${times.count(answer.total)}: not all schedules were searched` : answer.total > answer.schedules.length ? `the first ${answer.schedules.length} of ${times.count(answer.total)}` : counted(answer.total, 'schedule'),
  }, h(Table, {
    caption: 'Schedules that are due in this minute', rows: answer.schedules, empty: 'No schedule is due in this minute any more.', keyOf: (row) => row.id,
    columns: [['Schedule', (row) => idLink(row.id)], ['Trigger', (row) => h('code', null, row.trigger)], ['Zone', (row) => row.zone], ['Owner', (row) => row.owner || '']],
  }));
}

export function Load({ parameters }) {
  const [chosen, setChosen] = useState(null);
  const [plain, setPlain] = useState(null);
  const question = Object.fromEntries(NAMES.filter((name) => parameters.has(name)).map((name) => [name, parameters.get(name)]));
  const key = JSON.stringify(question);
  const ask = () => api.getAll('/api/v1/load', question).then((found) => ({ ...found, key }));
  const { answer: load, problem } = useAnswer(ask, key, { every: 60000, keeps: true });
  useEffect(() => {
    const { jitter, ...unspread } = question;
    setPlain(null);
    if (jitter) api.getAll('/api/v1/load', unspread).then((found) => setPlain({ ...found, key })).catch(() => {});
  }, [key]);
  // while the answer to another question is still shown, there is nothing to compare
  const compares = plain?.key === key && load?.key === key;
  const minute = parameters.get('minute');
  if (problem) return h(Fragment, null, h('h1', null, 'Load ahead'), h('p', { class: 'problem', role: 'alert' }, problem));
  if (!load) return h(Fragment, null, h('h1', null, 'Load ahead'), h('p', { class: 'empty', role: 'status' }, 'Counting the coming week …'));
  const limited = question.by === 'limit' && question.value ? load.groups.find((row) => row.name === question.value)?.limited : null;
  const minuteLink = (at, text) => h('a', { href: hash(question, { minute: at }) }, text);
  return h(Fragment, null,
    h('h1', null, 'Load ahead'),
    h('p', { class: 'words' }, `${times.count(load.total)} occurrences of ${times.count(load.schedules)} active schedules in the coming week${load.estimate ? ', estimated from a sample' : ''}.`),
    h('form', { class: 'fields', onSubmit: (event) => event.preventDefault() },
      h(Choice, { label: 'Group by', value: question.by || '', options: BY, onValue: (by) => { location.hash = hash({ jitter: question.jitter }, { by }); } }),
      question.by === 'label' ? h('label', null, 'Name of the label', h('input', { type: 'text', value: question.label || '', onChange: (event) => { location.hash = hash({ by: 'label', jitter: question.jitter }, { label: event.target.value.trim() }); } })) : null,
      h(Choice, { label: 'Jitter', value: question.jitter || '', options: JITTERS, onValue: (jitter) => { location.hash = hash(question, { jitter }); } })),
    question.value === undefined ? null : h('p', null, `Only ${question.by} ${question.value || 'none'}. `, h('a', { href: hash({ by: question.by, label: question.label, jitter: question.jitter }, {}) }, 'Show all')),
    question.jitter && !compares ? h('p', { class: 'note', role: 'status' }, 'Computing the load with this jitter …') : null,
    compares ? h('p', { class: 'said', role: 'status' }, `With this jitter for schedules that have none, the fullest minute has ${times.count(load.fullest[0]?.occurrences || 0)} instead of ${times.count(plain.fullest[0]?.occurrences || 0)} occurrences.`) : null,
    minute ? h(Minute, { at: minute, question }) : null,
    question.by ? h(Groups, { load, question }) : null,
    limited ? h(Queues, { limited }) : null,
    h('div', { class: 'two load' },
      load.total ? h(Panel, { title: 'By hour', note: 'the fullest minute of each hour' }, h(HeatMap, { cells: hours(load), chosen, onChoose: setChosen })) : null,
      h('div', null,
        chosen ? h(Panel, { title: `${chosen.day} ${chosen.hour}`, note: counted(chosen.total, 'occurrence') }, h(Table, {
          caption: 'The minutes of this hour', rows: chosen.minutes.filter((one) => one.occurrences), empty: 'Nothing is due in this hour.', keyOf: (row) => row.at,
          columns: [['Minute', (row) => minuteLink(new Date(row.at).toISOString(), h(Time, { at: new Date(row.at).toISOString() }))],
            ['Occurrences', (row) => h('span', { class: 'bar' }, h('meter', { min: 0, max: chosen.peak, value: row.occurrences, 'aria-hidden': 'true' }), times.count(row.occurrences))]],
        })) : null,
        h(Panel, { title: 'Fullest minutes', note: 'of the week' }, h(Table, {
          caption: 'The fullest minutes of the week', rows: load.fullest, empty: 'Nothing is due in the coming week.', keyOf: (row) => row.at,
          columns: [['Minute', (row) => minuteLink(row.at, h(Time, { at: row.at, words: true }))], ['Occurrences', (row) => times.count(row.occurrences)]],
        })))));
}
