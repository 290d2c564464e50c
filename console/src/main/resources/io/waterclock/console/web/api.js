// Talks to the console's API. Every text that comes back is data: it reaches the page as text nodes only.

const TOKEN = 'waterclock.token';
let csrf = '';

export class ApiError extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `status ${status}`);
    this.status = status;
    this.problems = problem.problems || [];
    this.login = problem.login;
  }
}

export function setToken(token) {
  sessionStorage.setItem(TOKEN, token);
}

export const hasToken = () => Boolean(sessionStorage.getItem(TOKEN));

function headers() {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

async function answerOf(response) {
  let body;
  try {
    body = await response.json();
  } catch {
    body = {};
  }
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}

// A console that cannot be reached is an error like those that it answers.
async function ask(path, options = {}) {
  try {
    return await fetch(path, { ...options, headers: { ...headers(), ...options.headers } });
  } catch {
    throw new ApiError(0, { title: 'The console does not answer. Load the page again before you repeat what you did.' });
  }
}

// The console refuses those who ask too much; a moment later it answers again.
async function patiently(path) {
  const response = await ask(path);
  const wait = Number(response.headers.get('Retry-After'));
  if (response.status !== 503 || !wait) return response;
  await new Promise((resolve) => { setTimeout(resolve, wait * 1000); });
  return ask(path);
}

export async function get(path, parameters = {}) {
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== undefined && value !== ''));
  const text = query.toString();
  return answerOf(await patiently(text ? `${path}?${text}` : path));
}

// The same with parameters that may be empty texts.
export async function getAll(path, parameters) {
  return answerOf(await patiently(`${path}?${new URLSearchParams(parameters)}`));
}

export async function session() {
  const answer = await get('/api/v1/session');
  csrf = answer.csrf;
  return answer;
}

export async function post(path, request) {
  return answerOf(await ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf },
    body: JSON.stringify(request),
  }));
}

export const command = (request) => post('/api/v1/commands', request);

// Hands a text to the person as a file.
export function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Server-sent events over fetch, which unlike EventSource can send a bearer token. The console ends a stream after some
// minutes, to learn again who watches: after one that brought something, the next one begins at once.
export function events(onEvent, onState) {
  const stop = new AbortController();
  (async () => {
    while (!stop.signal.aborted) {
      let goesOn = false;
      try {
        const response = await fetch('/api/v1/events', { headers: headers(), signal: stop.signal });
        if (!response.ok) await answerOf(response);
        onState(true);
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = '';
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          const parts = (rest + value).split('\n\n');
          rest = parts.pop();
          for (const part of parts) {
            const data = part.split('\n').find((line) => line.startsWith('data: '));
            if (data) {
              onEvent(JSON.parse(data.slice(6)));
              goesOn = true;
            }
          }
        }
      } catch {
        goesOn = false; // said by onState
      }
      if (!stop.signal.aborted && !goesOn) {
        onState(false);
        await new Promise((resolve) => { setTimeout(resolve, 2000); });
      }
    }
  })();
  return () => stop.abort();
}
