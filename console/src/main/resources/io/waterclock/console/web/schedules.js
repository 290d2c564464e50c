// The list of schedules, a page at a time.

import { h, Fragment, Table, Time, Badge, Problem, idLink, useAnswer, useRef, useState } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';
import { chosen } from './bulk.js';

const STATES = ['ACTIVE', 'PAUSED', 'COMPLETED', 'FAULTED', 'REJECTED', 'FAILING'];

function hash(filter) {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
  const text = query.toString();
  return text ? `#/schedules?${text}` : '#/schedules';
}

export function Schedules({ parameters, session }) {
  const filter = Object.fromEntries(
    ['text', 'prefix', 'owner', 'state', 'due', 'from', 'to', 'after'].map((name) => [name, parameters.get(name) || '']));
  const [ticked, setTicked] = useState(chosen.size);
  const has = (role) => session.grants.some((grant) => grant.role === role);
  const operates = has('OPERATOR') || has('EDITOR');
  const tick = (id) => (event) => { if (event.target.checked) chosen.add(id); else chosen.delete(id); setTicked(chosen.size); };
  const typing = useRef({});
  const ask = () => {
    const hours = Number(filter.due);
    const now = Date.now();
    const due = filter.due === 'between' ? { from: times.fromInput(filter.from), to: times.fromInput(filter.to) }
      : hours ? { from: new Date(now).toISOString(), to: new Date(now + hours * 3600e3).toISOString() } : { from: '', to: '' };
    const { due: unused, ...plain } = filter;
    return api.get('/api/v1/schedules', { ...plain, ...due });
  };
  const { answer, problem } = useAnswer(ask, hash(filter), { every: 5000, keeps: true });
  // From the address as it is then: another field may have changed while this one was typed in.
  const change = (name, value) => {
    const current = Object.fromEntries(new URLSearchParams(location.hash.split('?')[1] || ''));
    location.replace(hash({ ...current, after: '', [name]: value }));
  };
  const typed = (name) => (event) => {
    const { value } = event.target;
    clearTimeout(typing.current[name]);
    typing.current[name] = setTimeout(() => change(name, value), 250);
  };
  const hasFilter = Object.values(filter).some(Boolean);
  return h(Fragment, null,
    h('div', { class: 'title' }, h('h1', null, 'Schedules'), operates ? h('div', { class: 'buttons' },
      h('a', { class: 'button', href: `#/bulk?${new URLSearchParams({ prefix: filter.prefix, state: filter.state, owner: filter.owner })}` }, ticked ? `Change ${times.count(ticked)} chosen` : 'Change many'),
      has('EDITOR') ? h('a', { class: 'button', href: '#/edit' }, 'New schedule') : null) : null),
    h('form', { class: 'filter', role: 'search', onSubmit: (event) => event.preventDefault() },
      h('label', null, 'Search', h('input', {
        type: 'search', defaultValue: filter.text, placeholder: 'id, owner, label, trigger', onInput: typed('text'), autocomplete: 'off',
      })),
      h('label', null, 'Id begins with', h('input', { type: 'text', defaultValue: filter.prefix, placeholder: 'billing/', onInput: typed('prefix'), autocomplete: 'off', spellcheck: false })),
      h('label', null, 'State', h('select', { value: filter.state, onChange: (event) => change('state', event.target.value) },
        h('option', { value: '' }, 'any'),
        STATES.map((state) => h('option', { value: state }, state.toLowerCase())))),
      h('label', null, 'Next due', h('select', { value: filter.due, onChange: (event) => change('due', event.target.value) },
        h('option', { value: '' }, 'any time'),
        h('option', { value: '1' }, 'within an hour'),
        h('option', { value: '24' }, 'within a day'),
        h('option', { value: '168' }, 'within a week'),
        h('option', { value: 'between' }, 'between …'))),
      filter.due === 'between' ? h(Fragment, null,
        h('label', null, `From (${times.inputZone()})`, h('input', { type: 'datetime-local', defaultValue: filter.from, onInput: typed('from') })),
        h('label', null, `To (${times.inputZone()})`, h('input', { type: 'datetime-local', defaultValue: filter.to, onInput: typed('to') }))) : null),
    h(Problem, { text: problem }),
    answer ? h(Fragment, null,
      h('p', { class: 'note', role: 'status' }, `${times.count(answer.total)} ${answer.total === 1 ? 'schedule' : 'schedules'}`),
      h('section', { class: 'panel' }, h(Table, {
        caption: 'Schedules', rows: answer.schedules, keyOf: (row) => row.id,
        empty: hasFilter ? 'No schedule fits the filter.' : 'There is no schedule yet. waterclock put hello --every 5s defines one.',
        columns: [
          ['Schedule', (row) => (operates ? h('span', { class: 'choose' }, h('input', { type: 'checkbox', checked: chosen.has(row.id), onChange: tick(row.id), 'aria-label': `Choose ${row.id}` }), idLink(row.id)) : idLink(row.id))],
          ['State', (row) => h('span', { class: 'badges' }, h(Badge, { of: row.state }),
            row.rejected && row.state !== 'REJECTED' ? h(Badge, { of: 'REJECTED', text: 'edit rejected' }) : null,
            row.failing ? h(Badge, { of: 'FAILING' }) : null)],
          ['Trigger', (row) => h('code', null, row.trigger)],
          ['Next', (row) => (row.next ? h(Time, { at: row.next, zone: row.zone, words: true }) : h('span', { class: 'quiet' }, '–'))],
          ['Last fired', (row) => (row.last_fired ? h(Time, { at: row.last_fired, zone: row.zone, words: true }) : h('span', { class: 'quiet' }, '–'))],
          ['Owner', (row) => row.owner || ''],
        ],
      })),
      h('nav', { class: 'pages', 'aria-label': 'Pages' },
        filter.after ? h('a', { href: hash({ ...filter, after: '' }) }, 'First page') : null,
        answer.after ? h('a', { href: hash({ ...filter, after: answer.after }) }, 'Next page') : null)) : h('p', { class: 'empty', role: 'status' }, 'Loading …'));
}
