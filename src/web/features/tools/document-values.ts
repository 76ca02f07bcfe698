import { TOOL_DOCUMENT_PASTED_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { tool as contract } from '../../../contract/tool.ts';
import { ApiError } from '../../../contract/client.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { asAddress } from '../../forms/web-address.ts';
import type { ToolDocument } from './use-tools.ts';

export const documentWays = ['url', 'file', 'text'] as const;
type DocumentWay = (typeof documentWays)[number];

/** As form values. */
export interface DocumentValues extends Record<string, unknown> {
  way: DocumentWay;
  url: string;
  text: string;
  file: { name: string; text: string } | null;
}

export const noDocument: DocumentValues = { way: 'url', url: '', text: '', file: null };

export const documentLabels = () => ({
  way: t('tools.documentWay'),
  url: t('tools.documentUrl'),
  text: t('tools.documentText'),
  file: t('tools.documentFile'),
});

/** The value to send. */
export function documentOf({ way, url, text, file }: DocumentValues): ToolDocument {
  if (way === 'url') return { url: asAddress(url) ?? url.trim() };
  return { text: way === 'file' ? (file?.text ?? '') : text };
}

/** Errors by field, before sending. */
export function documentObjections(values: DocumentValues): Record<string, string> {
  const document = documentOf(values);
  if (contract.update.input.shape.schema.safeParse(document).success) return {};
  const isTooLong = 'text' in document && document.text.length > TOOL_DOCUMENT_PASTED_MAX_CHARACTERS;
  const count = formatNumber(TOOL_DOCUMENT_PASTED_MAX_CHARACTERS);
  const field = documentLabels()[values.way];
  return {
    [values.way]: isTooLong ? t('tools.documentTooLong', { count }) : t('form.notValid', { field }),
  };
}

/** The server's error for the document or for fetching it; null for any other failure. */
export function documentRefusal(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const atDocument = error.errors.find(({ path }) => path.startsWith('schema'));
  if (atDocument) return atDocument.message;
  return error.code === 'tool/document-refused' || error.code.startsWith('egress/') ? error.message : null;
}
