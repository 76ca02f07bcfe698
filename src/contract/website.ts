import * as z from 'zod';
import { text } from './common.ts';
import { idOf } from './id.ts';
import { route } from './route.ts';

export const WebsiteLink = z.object({
  url: z.string(),
  /** As the page or the link to it says; null when nothing does. */
  title: z.string().nullable(),
});
export type WebsiteLink = z.infer<typeof WebsiteLink>;

/** What there is to read on a site, seen before it is read. */
export const WebsiteLook = z.object({
  links: z.array(WebsiteLink),
  /** Pages that are known of; `links` may hold fewer. */
  pages: z.number().int(),
  /** Text to be expected, judged by the pages that were looked at. */
  estimatedBytes: z.number().int(),
  /** False when there may be more than was found in the time for a look. */
  isComplete: z.boolean(),
});
export type WebsiteLook = z.infer<typeof WebsiteLook>;

const input = z.strictObject({
  id: idOf('agent'),
  organizationId: idOf('organization'),
  /** With or without https://. */
  website: text(2048, 1),
});
const limit = { requests: 20, seconds: 60 };

export const website = {
  domainLinks: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge/website/domain-links',
    summary: "Find a website's pages by their links",
    limit,
    input,
    output: WebsiteLook,
  }),
  sitemapLinks: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge/website/sitemap-links',
    summary: "Find a website's pages in its sitemap",
    limit,
    input,
    output: WebsiteLook,
  }),
};
