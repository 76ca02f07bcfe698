import type { Permission } from '../../contract/access.ts';
import type { MessageKey } from '../messages/t.ts';

export type LayoutName = 'app-view' | 'app' | 'chatbot' | 'default';

/** Things with a name and pages of their own. */
export type Subject = 'agent' | 'knowledge' | 'member' | 'product' | 'team' | 'testSet' | 'tool' | 'version';

/** What each route says about itself, beside its address. */
export interface RouteData {
  /** As the specification names it. */
  name?: string;
  /** Title of the page. */
  title?: MessageKey;
  /** What the page is about, whose name takes the title's place once it is known. */
  subject?: Subject;
  /** The page is not offered to those whose role does not allow this. The server decides all the same. */
  needs?: Permission;
  /** True where the page and its layout show nothing but `en-first.ts`, and need not wait for the other texts. */
  isFirst?: boolean;
  /** The deepest route that names one decides. */
  layout?: LayoutName;
  /** Names of guards, run from the outermost route inwards. */
  guards?: readonly string[];
  /** A page whose rule fails does not exist: 404. */
  validate?: (params: Readonly<Record<string, string>>) => boolean;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends RouteData {}
}
