import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the page's address may request. */
interface PageOptions {
  /** Attributes of the script. */
  [attribute: `data-${string}`]: string;
  /** The only script the page runs, by hash. */
  integrity?: string;
  /** Elements whose names shadow what scripts use, and styles that hide everything of that kind. */
  hostile?: 'yes';
  /** `yes`: the page's policy forbids the frame. */
  unframed?: 'yes';
}

const hostile = `
  <style nonce="page">div, section, iframe, button { display: none !important; }</style>
  <img name="body"><img name="currentScript"><form name="createElement"></form><form name="createElementNS"></form>
  <a id="parley"></a><form id="location" name="fetch"></form><img name="documentElement"><img name="activeElement">
  <script nonce="page">window.name = 'mine'; localStorage.setItem('secret', 'of the page');</script>`;

/** Somebody's website on loopback that shows an agent under a strict content security policy. */
export class HostPage {
  readonly #server: HttpServer;
  readonly url: string;

  private constructor(server: HttpServer, name: string) {
    this.#server = server;
    this.url = `http://${name}:${(server.address() as AddressInfo).port}`;
  }

  /**
   * `parley`: the product's origin, on `localhost`. With that name the page has a different origin but is on the same
   * site: the browser in these tests gives frames on other sites no storage.
   */
  static async start(parley: string, name: 'localhost' | '127.0.0.1' = 'localhost'): Promise<HostPage> {
    const server = createServer((request, response) => {
      const { hostile: isHostile, unframed, integrity, ...data } = optionsIn(request.url ?? '/');
      const checked = integrity === undefined ? {} : { integrity, crossorigin: 'anonymous' };
      const attributes = Object.entries({ ...data, ...checked }).map(([name, value]) => `${name}="${value}"`);
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': [
          "default-src 'none'",
          `script-src ${parley} 'nonce-page'`,
          `connect-src ${parley}`,
          unframed ? "frame-src 'none'" : `frame-src ${parley} 'self'`,
          "style-src 'nonce-page'",
          "require-trusted-types-for 'script'",
        ].join('; '),
      });
      response.end(`<!doctype html><html lang="en"><head><title>Shop</title>
        <meta name="viewport" content="width=device-width"></head>
        <body><main><h1>Shop</h1><p>We sell lamps.</p></main>${isHostile ? hostile : ''}
        <script nonce="page">
          if (!document.getElementById('parley')) (window.parley ||= []).push(['on', 'ready', () => (window.isReady = true)]);
        </script>
        <script src="${parley}/widget.js" ${attributes.join(' ')} async></script></body></html>`);
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return new HostPage(server, name);
  }

  /** The address of such a page. */
  page(options: PageOptions): string {
    return `${this.url}/?${new URLSearchParams(options as Record<string, string>)}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function optionsIn(url: string): PageOptions {
  return Object.fromEntries(new URL(url, 'http://host').searchParams);
}
