import { answer } from '../worker/answer.ts';
import { parseSitemap, type SitemapRequest } from './parse-sitemap.ts';

/** A sitemap may be made to keep its reader busy; it gets a thread of its own, with limits. */
answer((request: SitemapRequest) => parseSitemap(request));
