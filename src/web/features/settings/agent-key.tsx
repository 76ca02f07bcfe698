import { Stack } from '@mantine/core';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import { CodeSamples } from './code-samples.tsx';
import { SecretButtons } from './secret-buttons.tsx';
import style from './share.module.css';
import { useAccess } from './use-access.ts';

/** The key that lets programs talk to the agent, and how they use it. */
export function AgentKey({ agentId }: { agentId: string }) {
  const access = useAccess(agentId);
  const mayWrite = useMay(useOrgId(), 'agent.write');
  return (
    <Section title={t('share.key')} lead={t('share.keyLead')}>
      <Stack>
        <QueryView {...viewOf(access)}>
          {({ apiKeyPreview: preview }) => (
            <>
              <p className={style['state']}>
                {preview === null ? t('share.noKey') : t('share.hasKey', { preview })}
              </p>
              <SecretButtons
                agentId={agentId}
                exists={preview !== null}
                disabled={!mayWrite}
                make={async () => {
                  const { apiKey: secret, access } = await api.visitor.rotateApiKey({ id: agentId });
                  return { secret, access };
                }}
                end={() => api.visitor.removeApiKey({ id: agentId })}
                texts={textsOf()}
              />
            </>
          )}
        </QueryView>
        <CodeSamples agentId={agentId} />
      </Stack>
    </Section>
  );
}

function textsOf() {
  return {
    make: t('share.makeKey'),
    renew: t('share.renewKey'),
    renewText: t('share.renewKeyText'),
    end: t('share.endKey'),
    endText: t('share.endKeyText'),
    ended: t('share.keyEnded'),
    fresh: t('share.newKey'),
    label: t('apiKeys.key'),
    copy: t('apiKeys.copy'),
  };
}
