import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { may, type Permission } from '../../contract/access.ts';
import { t } from '../messages/t.ts';
import { roleQuery } from '../queries/queries.ts';
import { viewOf } from '../queries/query-props.ts';
import { useOrgId } from '../routing/route-params.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';

interface PermittedProps {
  permission: Permission;
  /** The page's title, which is also shown to people who may not see the rest. */
  title: string;
  children: ReactNode;
}

/** A page only for people whose role allows it: others read that it doesn't, and none of its data is requested. */
export function Permitted({ permission, title, children }: PermittedProps) {
  const role = useQuery(roleQuery(useOrgId()));
  return (
    <QueryView {...viewOf(role)}>
      {(known) => (may(known, permission) ? children : <Denied title={title} />)}
    </QueryView>
  );
}

function Denied({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <Notice
        icon={<IconLock size="1.25em" aria-hidden />}
        title={t('ui.notAllowed')}
        text={t('ui.notAllowedText')}
      />
    </>
  );
}
