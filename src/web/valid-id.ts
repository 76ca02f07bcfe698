import { idOf, type IdKind } from '../contract/id.ts';

type Params = Readonly<Record<string, string>>;

/** A validate rule: the parameter, where it is given, is an id of that kind. */
export function idParameter(name: string, kind: IdKind): (params: Params) => boolean {
  const schema = idOf(kind);
  return (params) => params[name] === undefined || schema.safeParse(params[name]).success;
}
