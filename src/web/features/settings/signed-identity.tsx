import { Stack } from '@mantine/core';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import { CodeSample } from './code-sample.tsx';
import { identifySample, signingSample } from './samples.ts';
import { SecretButtons } from './secret-buttons.tsx';
import style from './share.module.css';
import { useAccess } from './use-access.ts';

/** How a site tells who its users are, and the secret for that. */
export function SignedIdentity({ agentId }: { agentId: string }) {
  const access = useAccess(agentId);
  const mayWrite = useMay(useOrgId(), 'agent.write');
  return (
    <Section title={t('share.signed')} lead={t('share.signedLead')}>
      <Stack>
        <QueryView {...viewOf(access)}>
          {({ algorithm }) => (
            <>
              <p className={style['state']}>{t(`share.signed${algorithm ?? 'None'}`)}</p>
              <SecretButtons
                agentId={agentId}
                exists={algorithm !== null}
                disabled={!mayWrite}
                make={() => api.visitor.rotateEmbedSecret({ id: agentId })}
                end={() => api.visitor.setEmbedKey({ id: agentId, publicKey: null })}
                texts={textsOf()}
              />
            </>
          )}
        </QueryView>
        <div>
          <h3 className={style['subheading']}>{t('share.signedSample')}</h3>
          <CodeSample name={t('share.signedSample')} code={signingSample()} />
        </div>
        <div>
          <h3 className={style['subheading']}>{t('share.tellSample')}</h3>
          <CodeSample name={t('share.tellSample')} code={identifySample()} />
        </div>
      </Stack>
    </Section>
  );
}

function textsOf() {
  return {
    make: t('share.makeSecret'),
    renew: t('share.renewSecret'),
    renewText: t('share.renewSecretText'),
    end: t('share.endSigned'),
    endText: t('share.endSignedText'),
    ended: t('share.signedEnded'),
    fresh: t('share.newSecret'),
    label: t('share.secret'),
    copy: t('share.copySecret'),
  };
}
