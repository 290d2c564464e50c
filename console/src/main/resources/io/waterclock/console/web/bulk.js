// One action for many schedules: choose them, count them, then watch.

import { h, Fragment, Table, Panel, Dialog, Problem, Field, Choice, idLink, words, useState } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';
import { useJob, Progress } from './jobs.js';

// The ids that a person has ticked in the list.
export const chosen = new Set();

const ACTIONS = { pause: 'Pause', resume: 'Resume', trigger: 'Fire now', skip: 'Skip occurrences', backfill: 'Backfill', delete: 'Delete' };
const RANGED = ['skip', 'backfill'];
const STATES = ['ACTIVE', 'PAUSED', 'COMPLETED', 'FAULTED', 'REJECTED', 'FAILING'];
const HOUR = 3600e3;

const schedules = (count) => `${times.count(count)} ${count === 1 ? 'schedule' : 'schedules'}`;

function Counted({ counted }) {
  const rest = [
    [counted.unaffected, 'would not change, as that is so already'],
    [counted.not_allowed, 'match, but you may not change them'],
    [counted.unknown_count, 'are left as they are, because their definition in force is unknown'],
  ].filter(([count]) => count);
  return h(Fragment, null,
    h('p', { class: 'words', role: 'status' }, counted.too_many ? `More than ${schedules(counted.count)}: too many for one action. Narrow the filter.` : `${schedules(counted.count)} would change.`),
    counted.fires === undefined || !counted.count ? null : h('p', null, `${counted.fires_at_least ? 'At least ' : ''}${times.count(counted.fires)} occurrences of the range are decided and fire again, with the ids that they had.`),
    rest.map(([count, text]) => h('p', { class: 'note' }, `${schedules(count)} ${text}.`)),
    counted.sample.length ? h('ul', { class: 'ids' }, counted.sample.map((id) => h('li', { key: id }, idLink(id)))) : null,
    counted.count > counted.sample.length ? h('p', { class: 'note' }, `and ${times.count(counted.count - counted.sample.length)} more`) : null);
}

function Result({ result }) {
  const parts = [`${times.count(result.executed)} done`];
  if (result.unchanged) parts.push(`${times.count(result.unchanged)} unchanged`);
  if (result.refused) parts.push(`${times.count(result.refused)} refused`);
  if (result.not_done) parts.push(`${times.count(result.not_done)} not done`);
  return h(Fragment, null,
    h('p', { class: 'said', role: 'status' }, `${parts.join(', ')}.`),
    h(Problem, { text: result.stopped && `It stopped: ${result.stopped}` }),
    h('p', { class: 'note' }, 'Command id ', h('code', null, result.command_id)),
    result.refusals.length ? h(Table, {
      caption: 'Refused', rows: result.refusals, empty: '', keyOf: (row) => row.id,
      columns: [['Schedule', (row) => idLink(row.id)], ['Why', (row) => h('span', { class: 'reason' }, row.why)]],
    }) : null);
}

export function Bulk({ parameters, session }) {
  const [ids, setIds] = useState([...chosen]);
  const [filter, setFilter] = useState({ prefix: parameters.get('prefix') || '', state: parameters.get('state') || '', owner: parameters.get('owner') || '', label: '', where: parameters.get('where') || '' });
  const [action, setAction] = useState('pause');
  const [note, setNote] = useState('');
  const now = Date.now();
  const [range, setRange] = useState({ from: times.toInput(now), to: times.toInput(now + HOUR) });
  const [counted, setCounted] = useState(null);
  const [problem, setProblem] = useState('');
  const [asking, setAsking] = useState(false);
  const job = useJob();
  const edits = session.grants.some((grant) => grant.role === 'EDITOR');
  const act = (next) => {
    // a skip is about what comes, a backfill about what was
    if (RANGED.includes(next)) setRange(next === 'skip' ? { from: times.toInput(now), to: times.toInput(now + HOUR) } : { from: times.toInput(now - HOUR), to: times.toInput(now + 60e3) });
    changed(setAction)(next);
  };
  const changed = (set) => (value) => { set(value); setCounted(null); };
  const field = (name) => (value) => changed(setFilter)({ ...filter, [name]: value });
  const request = () => {
    const [label, ...value] = filter.label.split('=');
    const which = ids.length ? { ids } : {
      filter: {
        prefix: filter.prefix, states: filter.state ? [filter.state] : [], owner: filter.owner,
        labels: label ? { [label.trim()]: value.join('=').trim() } : {}, where: filter.where,
      },
    };
    return { ...which, action, note, from: times.fromInput(range.from), to: times.fromInput(range.to) };
  };
  const count = (event) => {
    event.preventDefault();
    setProblem('');
    setCounted(null);
    api.post('/api/v1/bulk/count', request()).then(setCounted).catch((error) => setProblem(error.message));
  };
  const start = () => {
    setAsking(false);
    job.start('/api/v1/bulk', { ...request(), digest: counted.digest }).then(() => setCounted(null));
    chosen.clear();
  };
  return h(Fragment, null,
    h('nav', { class: 'crumbs', 'aria-label': 'Where you are' }, h('a', { href: '#/schedules' }, 'Schedules')),
    h('h1', null, 'Change many schedules'),
    h('form', { class: 'sheet', onSubmit: count },
      h(Panel, { title: 'Which' }, ids.length
        ? h(Fragment, null, h('p', null, `${schedules(ids.length)}, chosen in the list. `,
          h('button', { type: 'button', class: 'small', onClick: () => { chosen.clear(); changed(setIds)([]); } }, 'Choose by a filter instead')))
        : h('div', { class: 'fields' },
          h(Field, { label: 'Id begins with', value: filter.prefix, onValue: field('prefix'), placeholder: 'billing/' }),
          h(Choice, { label: 'State', value: filter.state, onValue: field('state'), options: [['', 'any accepted'], ...STATES.map((state) => [state, state === 'REJECTED' ? 'never accepted' : words(state)])] }),
          h(Field, { label: 'Owner', value: filter.owner, onValue: field('owner') }),
          h(Field, { label: 'Label', value: filter.label, onValue: field('label'), placeholder: 'team=money' }),
          h(Field, { label: 'Condition', value: filter.where, onValue: field('where'), placeholder: 'grace > 5m' }))),
      h(Panel, { title: 'What' },
        h('div', { class: 'fields' },
          h(Choice, { label: 'Action', value: action, onValue: act, options: Object.entries(ACTIONS).filter(([name]) => edits || name !== 'delete') }),
          RANGED.includes(action) ? h(Fragment, null,
            h(Field, { label: `From (${times.inputZone()})`, type: 'datetime-local', value: range.from, onValue: (from) => changed(setRange)({ ...range, from }) }),
            h(Field, { label: `To (${times.inputZone()})`, type: 'datetime-local', value: range.to, onValue: (to) => changed(setRange)({ ...range, to }) })) : null,
          h(Field, { label: 'Note', value: note, onValue: setNote, maxLength: 1000, placeholder: 'the reason' })),
        h('div', { class: 'buttons' }, h('button', { type: 'submit', disabled: job.isOpen }, 'Count what would change')))),
    h(Problem, { text: problem }),
    counted ? h(Panel, { title: 'Dry run' }, h(Counted, { counted }),
      counted.count && !counted.too_many ? h('div', { class: 'buttons' }, h('button', { class: action === 'delete' ? 'primary danger' : 'primary', onClick: () => setAsking(true) }, `${ACTIONS[action]}: ${schedules(counted.count)}`)) : null) : null,
    job.job || job.problem ? h(Panel, { title: 'Progress' }, h(Progress, { of: job, unit: 'schedules' }), job.result ? h(Result, { result: job.result }) : null) : null,
    asking ? h(Dialog, { title: `${ACTIONS[action]}: ${schedules(counted.count)}`, confirm: `${ACTIONS[action]}: ${times.count(counted.count)}`, danger: action === 'delete', onConfirm: start, onClose: () => setAsking(false) },
      h('p', null, action === 'delete' ? 'A deleted schedule does not come back, and what is undecided does not fire.' : 'Each schedule gets a command of its own with your name.')) : null);
}
