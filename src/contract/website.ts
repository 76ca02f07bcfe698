import * as z from 'zod';
import { text } from './common.ts';
import { idOf } from './id.ts';
import { route } from './route.ts';

export const WebsiteLink = z.object({
  url: z.string(),
  /** As given by the page or the link to it; null if neither has one. */
  title: z.string().nullable(),
});
export type WebsiteLink = z.infer<typeof WebsiteLink>;

/** What a site has to read, determined before reading it. */
export const WebsiteLook = z.object({
  links: z.array(WebsiteLink),
  /** Known pages; `links` may hold fewer. */
  pages: z.number().int(),
  /** Expected amount of text, extrapolated from the pages sampled. */
  estimatedBytes: z.number().int(),
  /** False if there may be more than could be found in the time allowed. */
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
