import { answer } from '../worker/answer.ts';
import { parseSitemap, type SitemapRequest } from './parse-sitemap.ts';

/** A sitemap can be crafted to keep its parser busy; it gets its own thread, with limits. */
answer((request: SitemapRequest) => parseSitemap(request));
