import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { tool as contract, type Tool } from '../../../contract/tool.ts';
import { adoptSaved, showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { SavedForm } from '../../forms/saved-form.tsx';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { useRemoveTool, useUpdateTool } from './use-tools.ts';

const schema = contract.create.input.pick({ name: true });

export function NameSection({ tool, mayWrite }: { tool: Tool; mayWrite: boolean }) {
  const form = useValidForm({ initial: { name: tool.name }, schema, labels: { name: t('tools.name') } });
  const save = useUpdateTool(tool, {
    onSaved: () => toast.success({ title: t('ui.saved') }),
    onRefused: (error) => showFieldErrors(form, error),
  });
  const submit = form.onSubmit((values) =>
    save.mutate(values, {
      onSuccess: ({ tool: { name } }) => adoptSaved(form, values, { name }),
    }),
  );
  return (
    <Section title={t('tools.name')} lead={t('tools.nameHint')}>
      <SavedForm onSubmit={submit} isChanged={form.isDirty()} isSaving={save.isPending} mayWrite={mayWrite}>
        <TextInput aria-label={t('tools.name')} {...form.getInputProps('name')} />
      </SavedForm>
    </Section>
  );
}

export function RemoveSection({ tool }: { tool: Tool }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = useRemoveTool(tool, async () => {
    toast.success({ title: t('tools.deleted'), message: tool.name });
    await navigate({
      to: '/platform/{-$orgId}/agent/$agentId/plugins',
      params: { orgId, agentId: tool.agentId },
      ignoreBlocker: true,
    });
  });
  return (
    <Section title={t('tools.delete')} lead={t('tools.deleteText')}>
      <Button color="danger" onClick={() => setAsking(true)}>
        {t('tools.delete')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('tools.delete')}
        text={t('tools.deleteText')}
        action={t('ui.delete')}
        typedName={tool.name}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
