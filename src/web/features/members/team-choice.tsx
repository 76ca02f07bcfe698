import { useQuery } from '@tanstack/react-query';
import { t } from '../../messages/t.ts';
import { teamsQuery } from '../../queries/people-queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { CheckList } from '../../ui/check-list.tsx';
import { QueryView } from '../../ui/query-view.tsx';

interface TeamChoiceProps {
  orgId: string;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

export function TeamChoice({ orgId, chosen, onChange }: TeamChoiceProps) {
  const teams = useQuery(teamsQuery(orgId));
  return (
    <QueryView {...viewOf(teams)} shape="line">
      {(list) => (
        <CheckList
          legend={t('teams.title')}
          hint={t('members.teamsHint')}
          none={t('members.noTeams')}
          options={list.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={chosen}
          onChange={onChange}
        />
      )}
    </QueryView>
  );
}
