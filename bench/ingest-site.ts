import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** Serves a folder's HTML pages as a website on the loopback interface, with a start page that links to all of them. */
const [folder = '.', most = '1000'] = process.argv.slice(2);

const names = (await readdir(folder)).filter((name) => name.endsWith('.html')).toSorted();
const pages = new Map<string, Buffer>();
for (const name of names.slice(0, Number(most)))
  pages.set(`/${name}`, await readFile(path.join(folder, name)));
const links = [...pages.keys()].map((page) => `<li><a href="${page}">${page}</a></li>`).join('');
pages.set('/', Buffer.from(`<!doctype html><title>All pages</title><h1>All pages</h1><ul>${links}</ul>`));

const server = createServer((request, response) => {
  const page = pages.get(new URL(request.url ?? '/', 'http://site').pathname);
  response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page ?? 'Not here');
});
server.listen(0, '127.0.0.1', () => {
  console.log(`site at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
