import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { notFound, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  STOREFRONT_HEADLINE_MAX_CHARACTERS,
  STOREFRONT_SEO_DESCRIPTION_MAX_CHARACTERS,
  STOREFRONT_SEO_TITLE_MAX_CHARACTERS,
  STOREFRONT_TAGLINE_MAX_CHARACTERS,
} from '../../../contract/limits.ts';
import { GivenStorefront, type Storefront, type StorefrontConfig } from '../../../contract/storefront.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId } from '../../routing/route-params.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { useSettled } from '../../hooks/use-settled.ts';
import { PagePreview } from './page-preview.tsx';
import { PictureField } from './picture-field.tsx';
import { PublishButton, StateBadge } from './publishing.tsx';
import { SectionsEditor } from './sections-editor.tsx';
import style from './storefront.module.css';
import type { StorefrontForm } from './storefront-form.ts';
import { storefrontQuery, useSave } from './use-storefront.ts';
import './messages.ts';

/** The page's content, beside a preview. */
export function EditorScreen() {
  return (
    <Permitted permission="agent.write" title={t('storefront.edit')}>
      <Known />
    </Permitted>
  );
}

function Known() {
  const { storefrontId } = useParams({ strict: false });
  const storefront = useQuery(storefrontQuery(useAgentId()));
  return (
    <QueryView {...viewOf(storefront)}>
      {(found) => {
        if (found?.id !== storefrontId || !found) throw notFound();
        return <Editor storefront={found} />;
      }}
    </QueryView>
  );
}

function Editor({ storefront }: { storefront: Storefront }) {
  const form = useStorefrontForm(storefront.draft);
  const save = useSave(storefront.id, {
    onDone: ({ draft }) => form.resetDirty(draft),
    onRefused: (error) => showFieldErrors(form, error),
  });
  const isUnsaved = form.isDirty();
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((config) => save.mutate({ config, revision: storefront.revision }))}
    >
      <UnsavedGuard changed={isUnsaved} />
      <PageHeader
        title={t('storefront.edit')}
        lead={<StateBadge storefront={storefront} isSaved={save.isSuccess && !isUnsaved} />}
        actions={
          <Group gap="xs">
            <Button type="submit" variant="default" loading={save.isPending} disabled={!isUnsaved}>
              {t('ui.save')}
            </Button>
            <PublishButton storefront={storefront} isUnsaved={isUnsaved} />
          </Group>
        }
      />
      <div className={style['editor']}>
        <Stack gap="lg">
          <TopFields form={form} agentId={storefront.agentId} />
          <SectionsEditor form={form} />
          <SearchFields form={form} />
        </Stack>
        <LivePreview id={storefront.id} config={form.values} />
      </div>
    </form>
  );
}

function useStorefrontForm(draft: StorefrontConfig): StorefrontForm {
  return useValidForm<StorefrontConfig>({
    initial: draft,
    schema: GivenStorefront,
    labels: {
      headline: t('storefront.headline'),
      tagline: t('storefront.tagline'),
      picture: t('storefront.picture'),
      sections: t('storefront.text'),
      products: t('storefront.kind.offers'),
      seoTitle: t('storefront.seoTitle'),
      seoDescription: t('storefront.seoDescription'),
    },
  });
}

function TopFields({ form, agentId }: { form: StorefrontForm; agentId: string }) {
  return (
    <Section title={t('storefront.top')}>
      <Stack gap="sm">
        <TextInput
          label={t('storefront.headline')}
          maxLength={STOREFRONT_HEADLINE_MAX_CHARACTERS}
          {...form.getInputProps('headline')}
        />
        <Textarea
          autosize
          minRows={2}
          label={t('storefront.tagline')}
          description={t('storefront.taglineHint')}
          maxLength={STOREFRONT_TAGLINE_MAX_CHARACTERS}
          {...form.getInputProps('tagline')}
        />
        <PictureField
          agentId={agentId}
          picture={form.values.picture}
          onChange={(picture) => form.setFieldValue('picture', picture)}
        />
      </Stack>
    </Section>
  );
}

function SearchFields({ form }: { form: StorefrontForm }) {
  return (
    <Section title={t('storefront.search')} lead={t('storefront.searchLead')}>
      <Stack gap="sm">
        <TextInput
          label={t('storefront.seoTitle')}
          maxLength={STOREFRONT_SEO_TITLE_MAX_CHARACTERS}
          {...form.getInputProps('seoTitle')}
        />
        <Textarea
          autosize
          label={t('storefront.seoDescription')}
          maxLength={STOREFRONT_SEO_DESCRIPTION_MAX_CHARACTERS}
          {...form.getInputProps('seoDescription')}
        />
      </Stack>
    </Section>
  );
}

/** Stays unchanged while something is half typed. */
function LivePreview({ id, config }: { id: string; config: StorefrontConfig }) {
  const settled = useSettled(JSON.stringify(config));
  const [shown, setShown] = useState(config);
  const next = GivenStorefront.safeParse(JSON.parse(settled));
  if (next.success && JSON.stringify(shown) !== JSON.stringify(next.data)) setShown(next.data);
  return (
    <section className={style['beside']} aria-label={t('storefront.preview')}>
      <PagePreview id={id} config={shown} />
    </section>
  );
}
