import type { FastifyInstance } from 'fastify';
import { errorTable } from '../../contract/errors.ts';
import { text } from '../html.ts';
import { sendPage } from './page.ts';

/** The target of an error's `type`: every code with its status and message. */
export function serveErrorDocs(app: FastifyInstance): void {
  const page = pageOf(
    Object.entries(errorTable).map(
      ([code, [status, title]]) =>
        `<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${text(title)}</td></tr>`,
    ),
  );
  app.get('/docs/errors', { schema: { hide: true } }, (_request, reply) => sendPage(reply, page));
}

const pageOf = (rows: string[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors of the Parley API</title>
<style nonce="__CSP_NONCE__">
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
thead th:nth-child(1) { width: 46%; }
thead th:nth-child(2) { width: 4rem; }
th, td { padding: 0.5rem; border-bottom: 1px solid GrayText; text-align: start; vertical-align: top; overflow-wrap: break-word; }
tr:target { background: Mark; color: MarkText; }
</style>
</head>
<body>
<h1>Errors of the API</h1>
<p>Every failure is a problem document (RFC 9457). Its <code>code</code> is stable; its <code>detail</code> may say more than stands here.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">What it says</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</body>
</html>
`;
