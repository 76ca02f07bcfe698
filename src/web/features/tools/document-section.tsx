import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Tool } from '../../../contract/tool.ts';
import { useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { DocumentFields } from './document-fields.tsx';
import {
  documentLabels,
  documentObjections,
  documentOf,
  documentRefusal,
  noDocument,
  type DocumentValues,
} from './document-values.ts';
import style from './tools.module.css';
import { useUpdateTool, type OnRefused } from './use-tools.ts';

interface DocumentSectionProps {
  tool: Tool;
  mayWrite: boolean;
}

/** The document's source, for reading it again or replacing it. */
export function DocumentSection({ tool, mayWrite }: DocumentSectionProps) {
  const { documentUrl, hasDocument: isKnown } = tool;
  const [isReplacing, setIsReplacing] = useState(!isKnown);
  const read = useReadDocument(tool, () => setIsReplacing(false));
  return (
    <Section
      title={t('tools.documentTitle')}
      lead={isKnown ? t('tools.readAgainText') : t('tools.documentLead')}
    >
      <Stack>
        {isKnown && (
          <p className={style['soft']}>
            {documentUrl === null ? t('tools.readPasted') : t('tools.readFrom', { address: documentUrl })}
          </p>
        )}
        {mayWrite && !isReplacing && (
          <div className={style['acts']}>
            {documentUrl !== null && (
              <Button
                variant="default"
                loading={read.isPending}
                onClick={() => read.mutate({ schema: { url: documentUrl } })}
              >
                {t('tools.readAgain')}
              </Button>
            )}
            <Button variant="default" onClick={() => setIsReplacing(true)}>
              {t('tools.replaceDocument')}
            </Button>
          </div>
        )}
        {mayWrite && isReplacing && (
          <ReplaceDocument
            tool={tool}
            onRead={() => setIsReplacing(false)}
            {...(isKnown && { onCancel: () => setIsReplacing(false) })}
          />
        )}
      </Stack>
    </Section>
  );
}

function useReadDocument(tool: Tool, onRead: () => void, onRefused?: OnRefused) {
  return useUpdateTool(tool, {
    onSaved: () => {
      toast.success({ title: t('tools.documentRead') });
      onRead();
    },
    ...(onRefused && { onRefused }),
  });
}

interface ReplaceDocumentProps {
  tool: Tool;
  onRead: () => void;
  /** Unset if there is no document to keep. */
  onCancel?: () => void;
}

function ReplaceDocument({ tool, onRead, onCancel }: ReplaceDocumentProps) {
  const form = useValidForm<DocumentValues>({
    initial: noDocument,
    labels: documentLabels(),
    check: documentObjections,
  });
  const read = useReadDocument(tool, onRead, (error) => {
    const refusal = documentRefusal(error);
    if (refusal !== null) form.setFieldError(form.values.way, refusal);
    return refusal !== null;
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => read.mutate({ schema: documentOf(values) }))}>
      <UnsavedGuard changed={form.isDirty()} />
      <Stack>
        <DocumentFields form={form} />
        <div className={style['acts']}>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('ui.cancel')}
            </Button>
          )}
          <Button type="submit" loading={read.isPending}>
            {t('tools.readDocument')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
