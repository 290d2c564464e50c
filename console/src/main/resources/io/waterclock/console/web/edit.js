// Define, edit and delete a schedule: form and JSON side by side, and what it would do before it is done.

import { h, Fragment, Table, Panel, Time, Sentence, Problem, Field, Choice, shown, words, useEffect, useRef, useState } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';

const TRIGGERS = { cron: '0 9 * * 1-5', every: '5m', at: '2026-12-24T18:00:00Z', in: 'PT90S', rrule: 'FREQ=MONTHLY;BYDAY=-1FR' };
const option = (names) => [['', 'as by default'], ...names.map((name) => [name, words(name)])];

// The fields of the form: name, label, example, or the values to choose from. All others are in the JSON alone.
const FIELDS = [
  ['timezone', 'Time zone', 'Europe/Berlin'],
  ['catch_up', 'Missed occurrences', ['collapse', 'replay', 'skip']],
  ['grace', 'Grace', '60s'],
  ['jitter', 'Jitter', '30s'],
  ['overlap', 'Overlap', ['allow', 'skip', 'buffer_one']],
  ['start_at', 'Not before', '2027-01-01T00:00:00Z'],
  ['end_at', 'End', '2028-01-01T00:00:00Z'],
  ['owner', 'Owner', 'billing'],
  ['type', 'Type of job', 'report'],
  ['description', 'Description', ''],
];

function parse(text) {
  try {
    const tree = JSON.parse(text);
    return tree && typeof tree === 'object' && !Array.isArray(tree) ? [tree, ''] : [null, 'A definition is a JSON object.'];
  } catch (error) {
    return [null, `This is no JSON: ${error.message}`];
  }
}

const pretty = (tree) => shown(JSON.stringify(tree, null, 2));
const kindOf = (tree) => Object.keys(TRIGGERS).find((kind) => kind in tree) || 'cron';
const text = (value) => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));

function Form({ tree, problems, onTree }) {
  const kind = kindOf(tree);
  const wrong = new Set(problems.map((problem) => problem.field));
  const put = (name, value) => {
    const next = { ...tree };
    if (value === '') delete next[name]; else next[name] = value;
    onTree(next);
  };
  const asKind = (other) => {
    const next = Object.fromEntries(Object.entries(tree).filter(([name]) => !(name in TRIGGERS) && name !== 'anchor'));
    onTree({ [other]: TRIGGERS[other], ...next });
  };
  const field = (name) => ({ value: text(tree[name]), onValue: (value) => put(name, value), 'aria-invalid': wrong.has(name) || undefined });
  return h('div', { class: 'fields' },
    h(Choice, { label: 'Trigger', value: kind, options: Object.keys(TRIGGERS).map((name) => [name, name]), onValue: asKind }),
    h(Field, { label: kind, placeholder: TRIGGERS[kind], ...field(kind) }),
    kind === 'every' || kind === 'rrule' ? h(Field, { label: 'Anchor', placeholder: 'when it is accepted', ...field('anchor') }) : null,
    FIELDS.map(([name, label, example]) => (Array.isArray(example)
      ? h(Choice, { label, value: text(tree[name]).toLowerCase(), options: option(example), onValue: (value) => put(name, value) })
      : h(Field, { label, placeholder: example, ...field(name) }))),
    h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: tree.enabled !== false, onChange: (event) => put('enabled', event.target.checked ? '' : false) }), 'Enabled'));
}

function Problems({ problems, isJudged }) {
  if (!isJudged) return h('p', { class: 'note' }, 'With an id and a definition, the scheduler’s rules judge it.');
  if (!problems.length) return h('p', { class: 'said' }, 'The scheduler’s rules accept it.');
  return h('ul', { class: 'why' }, problems.map((problem) => h('li', { class: 'bad' },
    problem.field ? h(Fragment, null, h('code', null, problem.field), ' ') : null, problem.message,
    problem.example ? h(Fragment, null, '; for example ', h('code', null, problem.example)) : null)));
}

const KINDS = { ADDED: 'added', REMOVED: 'removed', MOVED: 'moved' };

const FIRST = 8;

function Changes({ rows, zone }) {
  const time = (one) => (one ? h(Time, { at: one.due, zone }) : h('span', { class: 'quiet' }, '–'));
  return h(Table, {
    caption: 'Occurrences that change', rows, empty: 'No occurrence changes.',
    columns: [['Change', (row) => KINDS[row.change]], ['Before', (row) => time(row.before)], ['After', (row) => time(row.after)]],
  });
}

function Preview({ of, zone }) {
  return h(Fragment, null,
    of.words ? h('p', { class: 'words', lang: of.words_language }, `${of.words}.`) : null,
    h('div', { class: 'tiles' }, Object.entries(KINDS).map(([, kind]) => h('div', { class: 'tile', key: kind },
      h('div', { class: 'tile-label' }, `Occurrences ${kind}`), h('div', { class: 'tile-value' }, times.count(of[kind])))),
    of.fires_before || of.fires_after ? h('div', { class: 'tile' }, h('div', { class: 'tile-label' }, 'Fires, before and after'), h('div', { class: 'tile-value' }, `${times.count(of.fires_before)} → ${times.count(of.fires_after)}`)) : null),
    h('p', { class: 'note' }, 'From ', h(Time, { at: of.from, zone }), ' to ', h(Time, { at: of.compared_until || of.to, zone }),
      of.compared_until ? '. There are too many occurrences to compare the whole year.' : '.'),
    of.notes.map((note) => h(Problem, { text: note })),
    of.undecided.length ? h(Fragment, null, h('h3', null, 'What is undecided'), h('ul', { class: 'clocks' }, of.undecided.map((one) => h('li', null, h(Sentence, { text: one, zone }))))) : null,
    h('h3', null, 'Changes'),
    h(Changes, { rows: of.changes.slice(0, FIRST), zone }),
    of.changes.length > FIRST ? h('details', null, h('summary', null, `${of.changes.length - FIRST} more${of.added + of.removed + of.moved > of.changes.length ? `, of ${times.count(of.added + of.removed + of.moved)} in all` : ''}`),
      h(Changes, { rows: of.changes.slice(FIRST), zone })) : null,
    of.clock_changes.length ? h(Fragment, null, h('h3', null, 'Clock changes'), h('ul', { class: 'clocks' }, of.clock_changes.map((change) => h('li', null,
      h(Time, { at: change.at, zone }), ': ', change.text, '.')))) : null,
    of.joined.length ? h(Fragment, null, h('h3', null, 'The fullest minutes of the week that it joins'), h(Table, {
      caption: 'The fullest minutes that it joins', rows: of.joined, empty: '', keyOf: (row) => row.at,
      columns: [['Minute', (row) => h(Time, { at: row.at, zone })], ['Others due', (row) => times.count(row.others)], ['Added', (row) => times.count(row.added)]],
    })) : null);
}

export function Edit({ parameters }) {
  const given = parameters.get('id') || '';
  const deletes = parameters.has('delete');
  const revision = parameters.get('revision') || '';
  const [id, setId] = useState(given);
  const [base, setBase] = useState(given ? null : { edits: '' });
  const [json, setJson] = useState(pretty({ cron: TRIGGERS.cron, timezone: times.browserZone() }));
  const [checked, setChecked] = useState([]);
  const [judged, setJudged] = useState(null);
  const [preview, setPreview] = useState(null);
  const [problem, setProblem] = useState('');
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const timer = useRef(0);
  const number = useRef(0);
  const [tree, noJson] = parse(json);
  const failed = (error) => { setProblem(error.message); setBusy(false); };
  const load = () => api.get(deletes ? '/api/v1/schedule' : '/api/v1/definition', { id: given, ...(revision && { revision }) }).then((found) => {
    setBase(found);
    setPreview(null);
    setProblem('');
    if (!deletes) setJson(pretty(found.definition || {}));
    return deletes ? api.post('/api/v1/preview', { id: given, delete: true, language: navigator.language }).then(setPreview) : null;
  }).catch(failed);
  useEffect(() => { if (given) load(); }, [given, deletes, revision]);
  // While typing: the newest text alone counts.
  useEffect(() => {
    clearTimeout(timer.current);
    const asked = ++number.current;
    const check = () => api.post('/api/v1/check', { id, definition: tree }).then((answer) => {
      if (asked !== number.current) return;
      setChecked(answer.problems);
      setJudged(`${id} ${json}`);
    }).catch((error) => {
      if (asked !== number.current) return;
      if (error.status === 503) timer.current = setTimeout(check, 500); else setProblem(error.message);
    });
    if (tree && id && !deletes && base) timer.current = setTimeout(check, 300);
    return () => clearTimeout(timer.current);
  }, [json, id, base]);
  const changed = (set) => (next) => { set(next); setPreview(null); setProblem(''); };
  const setText = changed(setJson);
  const show = (event) => {
    event.preventDefault();
    setBusy(true);
    api.post('/api/v1/preview', { id, definition: tree, language: navigator.language }).then((answer) => {
      setBusy(false);
      setProblem('');
      setChecked(answer.problems);
      setPreview(answer.problems.length ? null : answer);
    }).catch(failed);
  };
  const write = () => {
    setBusy(true);
    api.post(deletes ? '/api/v1/delete' : '/api/v1/definitions', { id, definition: deletes ? undefined : tree, expected_revision: base.edits, note })
      .then(() => { location.hash = deletes ? '#/schedules' : `#/schedule?id=${encodeURIComponent(id)}`; })
      .catch((error) => { setChecked(error.problems); failed(error); });
  };
  const title = deletes ? `Delete ${given}` : given ? `Edit ${given}` : 'New schedule';
  if (!base) return h(Fragment, null, h('h1', null, title), problem ? h(Problem, { text: problem }) : h('p', { class: 'empty', role: 'status' }, 'Loading …'));
  const zone = tree?.timezone || base.zone;
  const isValid = tree && id && !checked.length;
  return h(Fragment, null,
    h('nav', { class: 'crumbs', 'aria-label': 'Where you are' }, h('a', { href: '#/schedules' }, 'Schedules'), given ? h(Fragment, null, ' / ', h('a', { href: `#/schedule?id=${encodeURIComponent(given)}` }, given)) : null),
    h('h1', { class: 'id' }, title),
    deletes ? null : h('form', { class: 'sheet', onSubmit: show },
      given ? h('p', { class: 'note' }, 'Revision ', h('code', null, base.edits || 'none'), revision ? h(Fragment, null, ', to be defined again as it was in ', h('code', null, revision)) : null) : h('div', { class: 'fields' }, h(Field, { label: 'Id', value: id, onValue: changed(setId), placeholder: 'billing/invoices', required: true })),
      h('div', { class: 'two' },
        h(Panel, { title: 'Form' }, h(Form, { tree: tree || {}, problems: checked, onTree: (next) => setText(pretty(next)) })),
        h(Panel, { title: 'JSON' }, h('textarea', { 'aria-label': 'Definition as JSON', rows: 20, spellcheck: false, value: json, onInput: (event) => setText(event.target.value) }))),
      h('div', { 'aria-live': 'polite' }, noJson ? h('p', { class: 'problem' }, noJson) : h(Problems, { problems: checked, isJudged: judged === `${id} ${json}` || checked.length })),
      h('div', { class: 'buttons' }, h('button', { type: 'submit', class: preview ? '' : 'primary', disabled: !isValid || busy }, 'Preview'))),
    problem ? h(Fragment, null, h(Problem, { text: problem }), given ? h('button', { type: 'button', onClick: load }, 'Load it again') : null) : null,
    preview ? h(Panel, { title: 'Preview', note: 'of the next year' }, h(Preview, { of: preview, zone }),
      h('div', { class: 'fields apart' }, h(Field, { label: 'Note', value: note, onValue: setNote, maxLength: 1000 })),
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: deletes ? 'primary danger' : 'primary', disabled: busy, onClick: write }, deletes ? 'Delete it' : given ? 'Write the edit' : 'Define it'))) : null);
}
