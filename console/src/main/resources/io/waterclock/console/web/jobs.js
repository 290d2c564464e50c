// Work that takes longer than a request: started by a post, asked for until it is over.

import { h, Problem, useEffect, useRef, useState } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';

const OPEN = ['WAITING', 'RUNNING'];

export function useJob() {
  const [job, setJob] = useState(null);
  const [problem, setProblem] = useState('');
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const follow = (id) => api.get('/api/v1/job', { id }).then((found) => {
    setJob(found);
    if (OPEN.includes(found.state)) timer.current = setTimeout(() => follow(id), 400);
  }).catch((error) => setProblem(error.message));
  const start = (path, request) => {
    clearTimeout(timer.current);
    setJob(null);
    setProblem('');
    return api.post(path, request).then((answer) => follow(answer.job)).catch((error) => setProblem(error.message));
  };
  const cancel = () => api.post('/api/v1/cancel', { job: job.job }).catch((error) => setProblem(error.message));
  return { job, problem, start, cancel, isOpen: OPEN.includes(job?.state), result: job?.result };
}

export function Progress({ of: { job, problem, cancel, isOpen }, unit }) {
  if (problem || job?.state === 'FAILED') return h(Problem, { text: problem || job.problem });
  if (!job || job.state === 'DONE') return null;
  if (!isOpen) return h('p', { role: 'status' }, 'Cancelled.');
  const text = job.total ? `${times.count(job.done)} of ${times.count(job.total)} ${unit}` : 'Waiting …';
  return h('div', { class: 'progress' },
    h('progress', { max: job.total || 1, value: job.total ? job.done : undefined, 'aria-label': 'Progress' }),
    h('span', { role: 'status' }, text),
    h('button', { type: 'button', class: 'small', onClick: cancel }, 'Cancel'));
}
