import { Button, Stack, Textarea } from '@mantine/core';
import { KNOWLEDGE_LINKS_MAX } from '../../../contract/limits.ts';
import { showFieldErrors, useValidForm } from '../../form.ts';
import { t } from '../../messages/t.ts';
import { asAddress } from '../../web-address.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useAddKnowledge } from './use-add-knowledge.ts';

export function AddWebsiteScreen() {
  const labels = { links: t('knowledge.addresses') };
  const form = useValidForm({
    initial: { links: '' },
    labels,
    check: ({ links }): Record<string, string> =>
      readLinks(links) ? {} : { links: t('form.notValid', { field: labels.links }) },
  });
  const add = useAddKnowledge((error) => showFieldErrors(form, error));
  const submit = ({ links }: { links: string }) =>
    add.mutate({ type: 'website', links: readLinks(links) ?? [] });
  return (
    <>
      <PageHeader title={t('knowledge.addWebsite')} lead={t('knowledge.addWebsiteText')} />
      <Card kind="form">
        <form noValidate onSubmit={form.onSubmit(submit)}>
          <Stack>
            <Textarea
              label={labels.links}
              description={t('knowledge.addressesHint')}
              placeholder={t('knowledge.addressesExample')}
              autosize
              minRows={3}
              maxRows={16}
              spellCheck={false}
              {...form.getInputProps('links')}
            />
            <div>
              <Button type="submit" loading={add.isPending}>
                {t('knowledge.add')}
              </Button>
            </div>
          </Stack>
        </form>
      </Card>
    </>
  );
}

/** The addresses, one a line; null unless each line is one and there are some, but not too many. */
function readLinks(text: string): string[] | null {
  const links = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(asAddress);
  if (links.length === 0 || links.length > KNOWLEDGE_LINKS_MAX) return null;
  return links.every((link) => link !== null) ? links : null;
}
