import type { Permission } from '../../contract/access.ts';
import type { MessageKey } from '../messages/t.ts';

export type LayoutName = 'app-view' | 'app' | 'chatbot' | 'default';

/** Things with a name and their own pages. */
export type Subject = 'agent' | 'knowledge' | 'member' | 'product' | 'team' | 'testSet' | 'tool' | 'version';

/** What each route declares besides its address. */
export interface RouteData {
  /** As named in the specification. */
  name?: string;
  /** The page's title. */
  title?: MessageKey;
  /** The page's subject, whose name replaces the title once it is known. */
  subject?: Subject;
  /** Hides the page from people whose role doesn't allow this. The server enforces it in any case. */
  needs?: Permission;
  /** True if the page and its layout show only texts from `en-first.ts`, and needn't wait for the others. */
  isFirst?: boolean;
  /** The deepest route that sets one decides. */
  layout?: LayoutName;
  /** Guard names, run from the outermost route inward. */
  guards?: readonly string[];
  /** A page whose rule fails does not exist: 404. */
  validate?: (params: Readonly<Record<string, string>>) => boolean;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends RouteData {}
}
