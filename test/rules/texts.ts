import { parse } from '@babel/parser';
import { en } from '../../src/web/messages/en.ts';

/** The attributes of an element that a person reads or hears. */
const SPOKEN =
  /^(label|title|placeholder|alt|description|message|text|lead|hint|legend|aria-(label|description|roledescription|valuetext))$/;

type Node = { type: string; loc?: { start: { line: number } } } & Record<string, unknown>;

/**
 * The texts in a component that are not from the message catalog: between tags, in the possible results of an
 * expression there, and in the attributes people read. Symbols without a letter are not text.
 */
export function textsIn(code: string): string[] {
  const found: string[] = [];
  const add = (node: unknown) => {
    for (const { line, text } of literals(node as Node))
      if (isText(text)) found.push(`${line}: ${text.trim()}`);
  };
  walk(parse(code, { sourceType: 'module', plugins: ['typescript', 'jsx'] }).program as never, (node) => {
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') (node['children'] as Node[]).forEach(add);
    if (node.type === 'JSXAttribute' && SPOKEN.test(nameOf(node['name'] as Node))) add(node['value']);
  });
  return found;
}

function isText(literal: string): boolean {
  const text = literal.trim();
  return /\p{L}/u.test(text) && !(text in en) && !/^\S*[/\d]\S*$/.test(text);
}

/** The literals a node may evaluate to: itself, or the branches of a conditional. */
function literals(node: Node | null): { line: number; text: string }[] {
  if (!node) return [];
  const line = node.loc?.start.line ?? 0;
  if (node.type === 'JSXText' || node.type === 'StringLiteral')
    return [{ line, text: String(node['value']) }];
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as { value: { raw: string } }[]).map(({ value }) => ({ line, text: value.raw }));
  const parts = {
    JSXExpressionContainer: ['expression'],
    ConditionalExpression: ['consequent', 'alternate'],
    LogicalExpression: ['left', 'right'],
  };
  const names = parts[node.type as keyof typeof parts] ?? [];
  return names.flatMap((name) => literals(node[name] as Node));
}

function nameOf(node: Node): string {
  return typeof node['name'] === 'string' ? node['name'] : '';
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node).flat())
    if (typeof value === 'object' && value !== null && typeof (value as Node).type === 'string')
      walk(value as Node, visit);
}
