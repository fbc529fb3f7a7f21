// SPDX-License-Identifier: Apache-2.0
// Requests to the server. The token comes with the page's address and is then kept for this tab,
// out of sight and out of the history.
const address = new URL(location.href);
if (address.searchParams.has('token')) {
  sessionStorage.setItem('token', address.searchParams.get('token'));
  address.searchParams.delete('token');
  history.replaceState(null, '', address);
}

export const token = () => sessionStorage.getItem('token') ?? '';

const headers = () => (token() ? { 'X-Gradus-Token': token() } : {});

// The response to a request. Throws an Error with the server's message if it is refused.
async function ask(path, options = {}) {
  const response = await fetch(path, { ...options, headers: headers() });
  if (response.ok) return response;
  const text = await response.text();
  let message = `the server answered ${response.status}`;
  try {
    message = JSON.parse(text).error;
  } catch {
    // not from our server
  }
  throw new Error(message);
}

export const get = async (path) => (await ask(path)).json();

export const post = async (path, body) =>
  (await ask(path, { method: 'POST', body: JSON.stringify(body) })).json();

// Follows the server-sent events of `path` for ever and calls onEvent with each. Not by
// EventSource, which cannot send the token. Calls onState with true and false as the connection
// comes and goes.
export async function follow(path, onEvent, onState) {
  for (;;) {
    try {
      const reader = (await ask(path)).body.pipeThrough(new TextDecoderStream()).getReader();
      onState(true);
      let text = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const parts = (text + value).split('\n\n');
        text = parts.pop();
        for (const part of parts) {
          if (part.startsWith('data: ')) onEvent(JSON.parse(part.slice(6)));
        }
      }
    } catch (error) {
      onState(false, error.message);
    }
    onState(false);
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
}
