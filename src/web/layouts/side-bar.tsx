import { useParams } from '@tanstack/react-router';
import { isId } from '../../contract/id-format.ts';
import { t } from '../messages/t.ts';
import { AccountMenu } from './account-menu.tsx';
import { AgentLinks } from './agent-links.tsx';
import { AgentSections } from './agent-sections.tsx';
import { InboxLink } from './inbox-link.tsx';
import { OrganizationMenu } from './organization-menu.tsx';
import { SearchOpener } from './search-opener.tsx';
import style from './side-bar.module.css';

/** The organization, its agents, the current agent's sections, and the account. */
export function SideBar() {
  const params = useParams({ strict: false });
  // The bar also appears beside the page that says an address is wrong.
  const orgId = isId('organization', params.orgId) ? params.orgId : undefined;
  const agentId = isId('agent', params.agentId) ? params.agentId : undefined;
  return (
    <nav className={style['bar']} aria-label={t('nav.main')}>
      {orgId && <OrganizationMenu orgId={orgId} />}
      <SearchOpener kind="line" />
      <div className={style['links']}>
        {orgId && <InboxLink orgId={orgId} />}
        {orgId && <AgentLinks orgId={orgId} />}
        {orgId && agentId && <AgentSections orgId={orgId} agentId={agentId} />}
      </div>
      <AccountMenu orgId={orgId} />
    </nav>
  );
}
