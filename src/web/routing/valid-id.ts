import { isId, type IdKind } from '../../contract/id-format.ts';

type Params = Readonly<Record<string, string>>;

/** A validate rule: the parameter, if present, is an ID of that kind. */
export function idParameter(name: string, kind: IdKind): (params: Params) => boolean {
  return (params) => params[name] === undefined || isId(kind, params[name]);
}
