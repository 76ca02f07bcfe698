import { Button } from '@mantine/core';
import type { Tool } from '../../../contract/tool.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';
import style from './tools.module.css';
import { useConnect } from './use-connect.ts';

/** An MCP server with personal sign-in reveals its functions only to signed-in users: the member signs in here. */
export function MemberAccount({ tool }: { tool: Tool }) {
  const { connect, isPending, url } = useConnect(tool, () => toast.success({ title: t('tools.offersRead') }));
  return (
    <Section title={t('tools.ownAccount')} lead={t('tools.ownAccountLead')}>
      <Button variant="default" loading={isPending} onClick={connect}>
        {t('tools.ownAccountConnect')}
      </Button>
      {url !== undefined && (
        <p className={style['soft']} role="status">
          {t('tools.ownAccountWaits')}{' '}
          <a href={url} target="_blank" rel="noopener noreferrer">
            {t('tools.ownAccountOpen')}
          </a>
        </p>
      )}
    </Section>
  );
}
