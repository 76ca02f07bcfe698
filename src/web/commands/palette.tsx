import { IconMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '../api/api.ts';
import { t } from '../messages/t.ts';
import { membersQuery } from '../queries/people-queries.ts';
import { agentsQuery, roleQuery } from '../queries/queries.ts';
import { sessionState } from '../session/session.ts';
import { useStore } from '../store.ts';
import { Avatar } from '../ui/avatar.tsx';
import { CommandBox, type Command } from '../ui/command-box.tsx';
import { useSettled } from '../hooks/use-settled.ts';
import { asked } from './asked.ts';
import { matching, shownOf } from './matching.ts';
import { opened } from './opened.ts';
import { pagesFor } from './pages.tsx';
import { useActions } from './use-actions.tsx';
import { usePlace, type Place } from './use-place.ts';

/** Finds agents, people, conversations, pages and actions: only what the role may open and do. */
export function Palette() {
  const query = useStore(asked);
  useEffect(() => () => asked.set(''), []);
  const place = usePlace();
  const { orgId } = place;
  const router = useRouter();
  const { data: role } = useQuery({ ...roleQuery(orgId ?? ''), enabled: orgId !== undefined });
  const agents = useAgents(place);
  const agentName = agents.find(({ id }) => id === place.agentId)?.title;
  const pages = pagesFor(router, place, role, agentName);
  const people = usePeople(place);
  const actions = useActions(place, role);
  const conversations = useConversations(query);
  const isAsked = query.trim() !== '';
  const groups = [
    { title: t('commands.agents'), commands: matching(agents, query) },
    { title: t('commands.pages'), commands: matching(pages, query) },
    { title: t('commands.actions'), commands: matching(actions, query) },
    { title: t('commands.people'), commands: isAsked ? matching(people, query) : [] },
    { title: t('commands.conversations'), commands: conversations },
  ];
  return (
    <CommandBox
      label={t('commands.label')}
      query={query}
      onQuery={asked.set}
      groups={shownOf(groups)}
      onClose={() => opened.set(null)}
    />
  );
}

function useAgents({ orgId }: Place): Command[] {
  const navigate = useNavigate();
  const { data = [] } = useQuery({ ...agentsQuery(orgId ?? ''), enabled: orgId !== undefined });
  return data.map(({ id, name, profilePhoto }) => ({
    id,
    title: name,
    icon: <Avatar name={name} photo={profilePhoto} />,
    run: () =>
      void navigate({ to: '/platform/{-$orgId}/agent/$agentId/home', params: { orgId, agentId: id } }),
  }));
}

function usePeople({ orgId }: Place): Command[] {
  const navigate = useNavigate();
  const { data = [] } = useQuery({ ...membersQuery(orgId ?? ''), enabled: orgId !== undefined });
  return data.map(({ id, name, email, username, profilePhoto }) => ({
    id,
    title: name,
    detail: email ?? username ?? '',
    icon: <Avatar round name={name} photo={profilePhoto} />,
    run: () =>
      void navigate({
        to: '/platform/{-$orgId}/account/members/$memberId',
        params: { orgId, memberId: id },
      }),
  }));
}

/** The person's own conversations that contain every word, from the server's search. */
function useConversations(query: string): Command[] {
  const navigate = useNavigate();
  const { user } = useStore(sessionState);
  const settled = useSettled(query.trim());
  const { data = [] } = useQuery({
    queryKey: ['conversations', 'found', settled],
    queryFn: async ({ signal }) => (await api.history.search({ query: settled, count: 6 }, { signal })).found,
    enabled: user !== null && settled !== '',
    meta: { failure: 'getConversations', quiet: true },
  });
  if (settled === '') return [];
  return data.map(({ conversation, messageId }) => ({
    id: conversation.id,
    title: conversation.title,
    detail: conversation.agent.name,
    icon: <IconMessage size="1.25em" aria-hidden />,
    run: () =>
      void navigate({
        to: '/chat/{-$id}',
        params: { id: conversation.id },
        search: messageId === null ? {} : { message: messageId },
      }),
  }));
}
