import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The operators' `deploy/nginx/parley.conf`, without its certificates and for these servers. Everything else is
 * unchanged, and what is replaced must be there.
 */
export async function writeNginxConfig(
  folder: string,
  { port, servers }: { port: number; servers: string[] },
): Promise<string> {
  let site = await readFile('deploy/nginx/parley.conf', 'utf8');
  const replace = (pattern: RegExp, by: string | ((...found: string[]) => string)): void => {
    if (!pattern.test(site)) throw new Error(`parley.conf has nothing that matches ${pattern.source}.`);
    site = site.replace(pattern, by as string);
  };
  replace(/^ {4}server 127\.0\.0\.1:3000 ([^;]*);$/m, (_line, settings = '') =>
    servers.map((server) => `    server ${server} ${settings};`).join('\n'),
  );
  replace(/^server \{\n {4}listen 80;\n[^}]*\}\n/m, '');
  replace(/listen 443 ssl http2;/, `listen ${port};`);
  replace(/^ {4}ssl_[^;]*;\n(?: {4}ssl_[^;]*;\n)*/m, '');
  replace(/server_name [^;]*;/, 'server_name _;');
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const around = [
    'daemon off;',
    'worker_processes 1;',
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/error.log;`,
    'events { worker_connections 1024; }',
    'http {',
    'access_log off;',
    ...kept.map((name) => `${name}_temp_path ${folder}/${name};`),
    site,
    '}',
  ];
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, around.join('\n'));
  return file;
}
