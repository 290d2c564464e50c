// The account, from the topics: is every occurrence fired once or missed with a reason?

import { h, Fragment, Table, Panel, Time, Sentence, Field, idLink, words, useEffect, useState } from './ui.js';
import * as times from './times.js';
import { useJob, Progress } from './jobs.js';

const trailLink = (id, at, text) => h('a', { href: `#/audit?${new URLSearchParams({ id, occurrence: at })}` }, text);

function Account({ result }) {
  const good = !result.findings_count;
  const proved = good && !result.unproven_count && !result.unreadable_count;
  return h(Fragment, null,
    h('section', { class: `verdict ${proved ? 'good' : good ? 'warning' : 'bad'}` },
      h('h2', null, proved ? 'Everything is accounted for' : good ? 'Nothing is known to be wrong' : `${times.count(result.findings_count)} findings`),
      h('p', null, `${result.exact ? '' : 'At least '}${times.count(result.occurrences)} occurrences: ${times.count(result.fired)} fired, ${result.waiting ? `${times.count(result.waiting)} waiting for a limit, ` : ''}${times.count(result.missed)} missed.`,
        result.through ? h(Fragment, null, ' Up to ', h(Time, { at: result.through }), '.') : null,
        result.unproven_count ? ` Not proved: ${times.count(result.unproven_count)}.` : '',
        result.unreadable_count ? ` Records that cannot be read: ${times.count(result.unreadable_count)}.` : '')),
    result.findings.length ? h(Panel, { title: 'Findings', note: result.findings_count > result.findings.length ? `the first ${result.findings.length}` : '' }, h(Table, {
      caption: 'Findings', rows: result.findings, empty: '',
      columns: [
        ['What', (row) => h('span', { class: 'missed-text' }, words(row.kind))],
        ['Schedule', (row) => idLink(row.id)],
        ['First', (row) => trailLink(row.id, row.first, h(Time, { at: row.first }))],
        ['Last', (row) => h(Time, { at: row.last })],
        ['Count', (row) => times.count(row.count)],
        ['Why', (row) => h('span', { class: 'reason' }, h(Sentence, { text: row.detail }))],
        ['Revision', (row) => h('code', { class: 'place' }, row.revision)],
      ],
    })) : null,
    result.unproven.length ? h(Panel, { title: 'Not proved' }, h(Table, {
      caption: 'Not proved', rows: result.unproven, empty: '',
      columns: [['Schedule', (row) => idLink(row.id)], ['Why', (row) => h('span', { class: 'reason' }, h(Sentence, { text: row.why }))], ['Revision', (row) => h('code', { class: 'place' }, row.revision)]],
    })) : null);
}

function Trail({ id, occurrence }) {
  const job = useJob();
  useEffect(() => { job.start('/api/v1/trail', { id, occurrence }); }, [id, occurrence]);
  const zone = job.result?.zone;
  return h(Panel, { title: 'One occurrence', note: h(Fragment, null, idLink(id), ' at ', h(Time, { at: occurrence, zone })) },
    h(Progress, { of: job, unit: 'records' }),
    job.result ? h(Table, {
      caption: 'What the topics hold of this occurrence', rows: job.result.steps,
      empty: 'The topics hold nothing of it: it is undecided, is no occurrence, or is older than what they keep.',
      columns: [
        ['Record', (row) => h('code', null, row.place)],
        ['What', (row) => row.kind],
        ['When', (row) => h(Time, { at: row.at, zone })],
        ['Says', (row) => h('span', { class: 'reason' }, h(Sentence, { text: row.text, zone }), row.author ? ` by ${row.author}` : '', row.note ? `: ${row.note}` : '')],
      ],
    }) : null);
}

export function Audit({ parameters }) {
  const id = parameters.get('id') || '';
  const occurrence = parameters.get('occurrence');
  const [only, setOnly] = useState(id);
  const job = useJob();
  const start = (event) => {
    event.preventDefault();
    job.start('/api/v1/audit', only ? { id: only } : {});
  };
  return h(Fragment, null,
    h('h1', null, 'Audit'),
    h('p', { class: 'words' }, 'Computes every occurrence again and compares it with what fired and what was missed.'),
    occurrence ? h(Trail, { id, occurrence }) : null,
    h('form', { class: 'sheet', onSubmit: start },
      h('div', { class: 'fields' }, h(Field, { label: 'Only this schedule', value: only, onValue: setOnly, placeholder: 'all schedules' })),
      h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary', disabled: job.isOpen }, 'Run the audit'))),
    h(Progress, { of: job, unit: 'records' }),
    job.result ? h(Account, { result: job.result }) : null);
}
