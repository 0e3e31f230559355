import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CaughtMail, MailCatcher } from './catcher.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (c) => entities[c] ?? c);

const styles = `
:root { color-scheme: light dark; font: 14px/1.6 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 860px; padding: 24px 16px 48px; }
h1 { font-size: 20px; margin: 0; }
header { display: flex; gap: 12px; align-items: center; justify-content: space-between; flex-wrap: wrap; }
p.note { color: light-dark(#4e5969, #a9aeb8); margin: 4px 0 16px; }
button { font: inherit; padding: 4px 12px; border-radius: 4px; border: 1px solid light-dark(#c9cdd4, #4e5969); background: transparent; color: inherit; cursor: pointer; }
details { border: 1px solid light-dark(#e5e6eb, #3a3d45); border-radius: 6px; margin: 8px 0; overflow-wrap: anywhere; }
summary { padding: 10px 12px; cursor: pointer; }
summary span { display: block; font-size: 12px; color: light-dark(#4e5969, #a9aeb8); }
pre { white-space: pre-wrap; margin: 0; padding: 12px; border-top: 1px solid light-dark(#e5e6eb, #3a3d45); font: 13px/1.6 ui-monospace, monospace; }
iframe { width: 100%; height: 180px; border: 0; border-top: 1px solid light-dark(#e5e6eb, #3a3d45); background: #fff; }
`;

const mailOf = ({ at, from, to, subject, text, html }: CaughtMail, index: number): string => `
<details${index === 0 ? ' open' : ''}>
  <summary>${escaped(subject) || '—'}<span>${escaped(to.join(', '))} · ${escaped(from)} · <time>${escaped(at)}</time></span></summary>
  <pre>${escaped(text)}</pre>
  ${html === '' ? '' : `<iframe sandbox title="HTML" srcdoc="${escaped(html)}"></iframe>`}
</details>`;

const pageOf = (mails: CaughtMail[]): string => `<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>邮件 Mail</title><style>${styles}</style></head>
<body>
<header><h1>演示邮箱 <span lang="en">Mail catcher</span></h1>
<form method="post" action="/mail/clear"><button>清空 Clear</button></form></header>
<p class="note">演示环境的邮件都在这里，不会真正发出；最多保留 200 封。 <span lang="en">Mail of the demo ends here and goes no further; the latest 200 are kept.</span></p>
${mails.map(mailOf).join('') || '<p>暂无邮件 <span lang="en">No mail yet</span></p>'}
</body></html>`;

const isLocal = ({ headers, socket }: IncomingMessage): boolean =>
  /^(?:::1|(?:::ffff:)?127\.)/.test(socket.remoteAddress ?? '') &&
  ['localhost', '127.0.0.1', '[::1]'].includes((headers.host ?? '').replace(/:\d+$/, ''));

/** True if a page of another origin sent the request. */
const isForeign = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined && headers.origin !== `http://${headers.host}`;

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response
    .writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
    })
    .end(body);
};

/**
 * Serves `/mail` with the received mails, `/mail/list` with the same mails as JSON, and
 * `/mail/clear`, which deletes them.
 */
export const serveMail = (
  catcher: MailCatcher,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void => {
  request.resume();
  if (!isLocal(request)) return send(response, 403, 'text/plain', 'loopback only');
  if (request.method === 'GET' && path === '/mail')
    return send(response, 200, 'text/html', pageOf(catcher.mails()));
  if (request.method === 'GET' && path === '/mail/list')
    return send(response, 200, 'application/json', JSON.stringify({ mails: catcher.mails() }));
  if (request.method === 'POST' && path === '/mail/clear' && !isForeign(request)) {
    catcher.clear();
    response.writeHead(303, { location: '/mail' }).end();
    return;
  }
  send(response, 404, 'text/plain', 'not found');
};
