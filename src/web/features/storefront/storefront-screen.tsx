import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconBuildingStore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Storefront } from '../../../contract/storefront.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { t } from '../../messages/t.ts';
import { agentQuery } from '../../queries/queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import { PagePreview } from './page-preview.tsx';
import { PublishButton, StateBadge, UnpublishButton } from './publishing.tsx';
import style from './storefront.module.css';
import { storefrontQuery, useCreate } from './use-storefront.ts';
import './messages.ts';

export function StorefrontScreen() {
  const storefront = useQuery(storefrontQuery(useAgentId()));
  return (
    <QueryView {...viewOf(storefront)}>
      {(found) => (found ? <Overview storefront={found} /> : <None />)}
    </QueryView>
  );
}

function None() {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  const mayWrite = useMay(params.orgId, 'agent.write');
  const navigate = useNavigate();
  const create = useCreate({
    onDone: ({ id }) =>
      navigate({
        to: '/platform/{-$orgId}/agent/$agentId/storefront/$storefrontId/edit',
        params: { ...params, storefrontId: id },
      }),
  });
  return (
    <>
      <PageHeader title={t('storefront.title')} lead={t('storefront.lead')} />
      <Notice
        icon={<IconBuildingStore size="1.25em" aria-hidden />}
        title={t('storefront.none')}
        text={t('storefront.noneText')}
        action={
          mayWrite && (
            <Button loading={create.isPending} onClick={() => create.mutate()}>
              {t('storefront.create')}
            </Button>
          )
        }
      />
    </>
  );
}

function Overview({ storefront }: { storefront: Storefront }) {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  const mayWrite = useMay(params.orgId, 'agent.write');
  const { data: agent } = useQuery(agentQuery(params.orgId, params.agentId));
  return (
    <>
      <PageHeader
        title={t('storefront.title')}
        lead={<StateBadge storefront={storefront} />}
        actions={
          mayWrite && (
            <Group gap="xs">
              <UnpublishButton storefront={storefront} />
              <Link
                className={buttonClass('plain')}
                to="/platform/{-$orgId}/agent/$agentId/storefront/$storefrontId/edit"
                params={{ ...params, storefrontId: storefront.id }}
              >
                {t('storefront.edit')}
              </Link>
              <PublishButton storefront={storefront} />
            </Group>
          )
        }
      />
      <Stack gap="lg">
        {agent && !agent.isPublic && <Callout>{t('storefront.isPrivate')}</Callout>}
        <Address storefront={storefront} />
        <section aria-labelledby="preview">
          <h2 id="preview" className={style['heading']}>
            {t('storefront.preview')}
          </h2>
          <PagePreview id={storefront.id} config={storefront.draft} />
        </section>
      </Stack>
    </>
  );
}

function Address({ storefront: { url, publishedRevision } }: { storefront: Storefront }) {
  const isPublished = publishedRevision !== null;
  return (
    <Section
      title={t('storefront.address')}
      lead={isPublished ? t('storefront.addressLead') : t('storefront.addressDraft')}
    >
      <Stack gap="sm">
        <TextInput
          readOnly
          aria-label={t('storefront.address')}
          value={url}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Group gap="xs">
          <CopyText text={url} label={t('settings.copyLink')} />
          {isPublished && (
            <Button component="a" variant="default" href={url} target="_blank">
              {t('storefront.open')}
            </Button>
          )}
        </Group>
      </Stack>
    </Section>
  );
}
