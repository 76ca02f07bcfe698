import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { agentQuery } from '../../queries/queries.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { useMay } from '../../session/use-role.ts';
import { PublishDialog } from './publish-dialog.tsx';
import style from './versions.module.css';

/** Above the pages for editing a draft: what of it is not live yet, with a link. Nothing if all of it is live. */
export function PublishBar() {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const { data: agent } = useQuery(agentQuery(orgId, agentId));
  const mayWrite = useMay(orgId, 'agent.write');
  const [publishing, setPublishing] = useState(false);
  if (!agent || agent.liveVersion === agent.version) return null;
  const { version: draft, liveVersion: live } = agent;
  return (
    <section className={style['bar']} aria-label={t('versions.bar')}>
      <p>{live === null ? t('versions.everySave') : t('versions.unpublished', { draft, live })}</p>
      {live !== null && (
        <Link
          to="/platform/{-$orgId}/agent/$agentId/settings/versions/$number"
          params={{ orgId, agentId, number: String(draft) }}
          search={{ with: live }}
        >
          {t('versions.seeChanges')}
        </Link>
      )}
      {mayWrite && (
        <Button size="xs" variant={live === null ? 'default' : 'filled'} onClick={() => setPublishing(true)}>
          {t('versions.publish')}
        </Button>
      )}
      {publishing && <PublishDialog number={draft} note="" onClose={() => setPublishing(false)} />}
    </section>
  );
}
