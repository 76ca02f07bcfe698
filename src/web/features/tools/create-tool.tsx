import { Button, Stack, TextInput } from '@mantine/core';
import { tool as contract } from '../../../contract/tool.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
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
import type { FormKind } from './place.ts';
import { useOpenTool } from './use-open-tool.ts';
import { useCreateTool } from './use-tools.ts';

interface NewToolValues extends DocumentValues {
  name: string;
}

/** Names a service and reads its document; which operations the agent can use is selected on the tool's own page. */
export function CreateTool({ kind }: { kind: FormKind }) {
  const form = useValidForm<NewToolValues>({
    initial: { ...noDocument, name: '' },
    labels: { ...documentLabels(), name: t('tools.name') },
    check: objections,
  });
  const open = useOpenTool();
  const create = useCreateTool(open, (error) => {
    const refusal = documentRefusal(error);
    if (refusal === null) return showFieldErrors(form, error);
    form.setFieldError(form.values.way, refusal);
    return true;
  });
  const isChanged = form.isDirty() && !create.isPending && !create.isSuccess;
  return (
    <>
      <PageHeader title={t(`tools.kind.${kind}`)} lead={t(`tools.kindText.${kind}`)} />
      <UnsavedGuard changed={isChanged} />
      <Card kind="form">
        <form
          noValidate
          onSubmit={form.onSubmit(({ name, ...values }) =>
            create.mutate({ kind, name, document: documentOf(values) }),
          )}
        >
          <Stack>
            <TextInput
              label={t('tools.name')}
              description={t('tools.nameHint')}
              {...form.getInputProps('name')}
            />
            <DocumentFields form={form} />
            <div>
              <Button type="submit" loading={create.isPending}>
                {t('tools.addTool')}
              </Button>
            </div>
          </Stack>
        </form>
      </Card>
    </>
  );
}

function objections(values: NewToolValues): Record<string, string> {
  const isNamed = contract.update.input.shape.name.safeParse(values.name).success;
  return {
    ...documentObjections(values),
    ...(!isNamed && { name: t('form.notValid', { field: t('tools.name') }) }),
  };
}
