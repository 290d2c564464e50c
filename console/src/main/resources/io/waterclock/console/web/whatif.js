// What would happen to many schedules: an outage, a calendar, other time-zone data.

import { h, Fragment, Table, Panel, Time, Problem, Field, Choice, idLink, words, useState } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';
import { useJob, Progress } from './jobs.js';

const SCENARIOS = { down: 'No scheduler runs', calendar: 'With this calendar', tzdb: 'With other tzdb' };
const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
const SHOWN = 200;

// A cell of a file that a spreadsheet must not take for a formula.
function cell(value) {
  const plain = String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function download(kind, rows) {
  const lines = kind === 'down'
    ? [['schedule', 'due', 'fires', 'missed', 'catch_up', 'first_due', 'last_due'],
      ...rows.map((row) => [row.id, row.due, row.fires, row.missed, row.catch_up, row.first, row.last])]
    : [['schedule', 'change', 'before', 'after'],
      ...rows.flatMap((row) => row.first.map((one) => [row.id, words(one.change), one.before, one.after]))];
  api.save(`what-if-${kind}.csv`, 'text/csv', lines.map((line) => `${line.map(cell).join(',')}\r\n`).join(''));
}

const when = (at) => (at ? h(Time, { at }) : h('span', { class: 'quiet' }, '–'));
const until = (row) => (row.problem ? h('span', { class: 'problem' }, row.problem) : row.until ? h(Fragment, null, ' up to ', h(Time, { at: row.until })) : null);

function Outage({ rows }) {
  return h(Table, {
    caption: 'Schedules with occurrences in that time', rows, empty: 'Nothing is due in that time.', keyOf: (row) => row.id,
    columns: [
      ['Schedule', (row) => idLink(row.id)],
      ['Due', (row) => h(Fragment, null, times.count(row.due), until(row))],
      ['Would fire', (row) => times.count(row.fires)],
      ['Would be missed', (row) => h('span', { class: row.missed ? 'missed-text' : '' }, times.count(row.missed))],
      ['Policy', (row) => words(row.catch_up)],
      ['First due', (row) => when(row.first)],
      ['Last due', (row) => when(row.last)],
    ],
  });
}

function Differences({ rows }) {
  return h(Table, {
    caption: 'Occurrences that change', empty: 'No occurrence changes.',
    rows: rows.flatMap((row) => (row.first.length ? row.first.slice(0, 5).map((one, index) => ({ ...one, row, index })) : [{ row, index: 0 }])),
    keyOf: (one) => `${one.row.id} ${one.index}`,
    columns: [
      ['Schedule', (one) => idLink(one.row.id)],
      ['Change', (one) => (one.change ? words(one.change) : '')],
      ['Before', (one) => when(one.before)],
      ['After', (one) => when(one.after)],
      ['', (one) => (one.index ? null : h('span', { class: 'note' }, one.row.changes > 5 ? `${times.count(one.row.changes)} in all` : null, until(one.row)))],
    ],
  });
}

function Result({ kind, result }) {
  const count = (name) => times.count(result[name] || 0);
  const rows = result.rows;
  return h(Panel, { title: 'Result', note: h(Fragment, null, 'from ', h(Time, { at: result.from }), ' to ', h(Time, { at: result.to })) },
    h('p', { class: 'words', role: 'status' }, kind === 'down'
      ? `${count('due')} occurrences of ${count('affected')} schedules come due. Then ${count('fires')} fire and ${count('missed')} are missed.`
      : `${count('affected')} of ${times.count(result.compared)} schedules differ: ${count('added')} occurrences are added, ${count('removed')} removed, ${count('moved')} moved.`),
    result.compared < result.of ? h('p', { class: 'problem' }, `Cancelled after ${times.count(result.compared)} of ${times.count(result.of)} schedules.`) : null,
    result.unknown ? h('p', { class: 'note' }, `${times.count(result.unknown)} schedules are left out: the topics no longer show from when they count.`) : null,
    rows.length ? h('p', { class: 'buttons' }, h('button', { type: 'button', onClick: () => download(kind, rows) }, 'Download as CSV')) : null,
    h(kind === 'down' ? Outage : Differences, { rows: rows.slice(0, SHOWN) }),
    (result.affected || 0) > Math.min(rows.length, SHOWN) ? h('p', { class: 'note' }, `the first ${Math.min(rows.length, SHOWN)} of ${count('affected')} schedules; the file has ${times.count(rows.length)}`) : null);
}

export function WhatIf({ session }) {
  const [kind, setKind] = useState('down');
  const [ran, setRan] = useState('down');
  const [prefix, setPrefix] = useState('');
  const [hours, setHours] = useState('3');
  const [days, setDays] = useState('30');
  const [name, setName] = useState(session.calendars[0] || 'holidays');
  const [dates, setDates] = useState('');
  const [weekdays, setWeekdays] = useState([]);
  const [forAll, setForAll] = useState(false);
  const [version, setVersion] = useState(session.other_tzdb[0] || '');
  const job = useJob();
  const toggle = (day) => setWeekdays(weekdays.includes(day) ? weekdays.filter((one) => one !== day) : [...weekdays, day]);
  const start = (event) => {
    event.preventDefault();
    setRan(kind);
    job.start('/api/v1/what-if', {
      kind, prefix, hours: Number(hours), days: Number(days), name, version, for_all: forAll,
      calendar: { dates: dates.split(/[\s,]+/).filter(Boolean), weekdays },
    });
  };
  const period = h(Field, { label: 'Days to look at', type: 'number', min: 1, max: 366, value: days, onValue: setDays });
  return h(Fragment, null,
    h('h1', null, 'What if'),
    h('form', { class: 'sheet', onSubmit: start }, h(Panel, { title: 'Suppose' },
      h('div', { class: 'fields' },
        h(Choice, { label: 'What happens', value: kind, options: Object.entries(SCENARIOS), onValue: setKind }),
        h(Field, { label: 'Id begins with', value: prefix, onValue: setPrefix, placeholder: 'all schedules' }),
        kind === 'down' ? h(Field, { label: 'Hours from now', type: 'number', min: 0.25, max: 744, step: 'any', value: hours, onValue: setHours }) : period,
        kind === 'calendar' ? h(Fragment, null,
          h(Field, { label: 'Calendar', value: name, onValue: setName, list: 'calendars' }),
          h('datalist', { id: 'calendars' }, session.calendars.map((one) => h('option', { value: one }))),
          h(Field, { label: 'Excluded dates', value: dates, onValue: setDates, placeholder: '2026-12-25/2026-12-26, 2027-01-01' })) : null,
        kind === 'tzdb' ? h(Choice, { label: `Instead of ${session.tzdb}`, value: version, options: session.other_tzdb.map((one) => [one, one]), onValue: setVersion }) : null),
      kind === 'calendar' ? h(Fragment, null,
        h('fieldset', null, h('legend', null, 'Excluded weekdays'), WEEKDAYS.map((day) => h('label', { class: 'check' },
          h('input', { type: 'checkbox', checked: weekdays.includes(day), onChange: () => toggle(day) }), day[0] + day.slice(1).toLowerCase()))),
        h('p', null, h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: forAll, onChange: () => setForAll(!forAll) }), 'Also for schedules that do not name it'))) : null,
      kind === 'tzdb' && !version ? h('p', { class: 'note' }, 'The console has no other time-zone data. Its operator gives it files of them when it starts.') : null,
      h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary', disabled: job.isOpen || (kind === 'tzdb' && !version) }, 'Compute')))),
    h(Progress, { of: job, unit: 'schedules' }),
    job.result ? h(Result, { kind: ran, result: job.result }) : null);
}
