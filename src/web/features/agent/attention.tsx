import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Chatbot, Week } from '../../../contract/chatbot.ts';
import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import type { Plugin } from '../../../contract/plugin.ts';
import type { Tool } from '../../../contract/tool.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { isWithoutSecret, pluginsQuery, toolsQuery, weekQuery } from '../../queries/agent-queries.ts';
import style from './agent-home.module.css';

interface AttentionProps {
  orgId: string;
  agent: Chatbot;
  knowledge: readonly ListedKnowledge[];
}

/** Things somebody should look at, each with a link. */
export function Attention({ orgId, agent, knowledge }: AttentionProps) {
  const { data } = useQuery(weekQuery(orgId, agent.id));
  const tools = useQuery(toolsQuery(agent.id));
  const plugins = useQuery(pluginsQuery(agent.id));
  const points = [
    ...ofKnowledge(knowledge),
    ...ofTools(tools.data ?? [], plugins.data ?? []),
    ...ofVersions(agent),
    ...ofWeek(data?.week),
  ];
  return (
    <section aria-labelledby="attention">
      <h2 id="attention" className={style['title']}>
        {t('agent.attention')}
      </h2>
      {points.length === 0 ? (
        <p className={style['well']}>
          <IconCircleCheck size="1.25em" aria-hidden />
          {t('agent.allWell')}
        </p>
      ) : (
        <ul className={style['points']}>
          {points.map(({ text, to }) => (
            <li key={text}>
              <IconAlertTriangle size="1.25em" aria-hidden />
              <Link to={to} params={{ orgId, agentId: agent.id }}>
                {text}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const places = {
  knowledge: '/platform/{-$orgId}/agent/$agentId/knowledge',
  versions: '/platform/{-$orgId}/agent/$agentId/settings/versions',
  tools: '/platform/{-$orgId}/agent/$agentId/plugins',
  insights: '/platform/{-$orgId}/agent/$agentId/insights',
} as const;

interface Point {
  text: string;
  to: (typeof places)[keyof typeof places];
}

type CountedPoint =
  | 'failedItems'
  | 'heldItems'
  | 'toolsWithoutSecret'
  | 'failingPlugins'
  | 'unanswered'
  | 'broken'
  | 'ratedDown';

function point(count: number, words: `agent.${CountedPoint}#`, to: Point['to']): Point[] {
  return count === 0 ? [] : [{ text: t(words, { count, number: formatNumber(count) }), to }];
}

function ofKnowledge(items: readonly ListedKnowledge[]): Point[] {
  const failed = items.filter(({ progress }) => progress.state === 'failed').length;
  const held = items.filter(({ heldRevision }) => heldRevision !== null).length;
  return [
    ...point(failed, 'agent.failedItems#', places.knowledge),
    ...point(held, 'agent.heldItems#', places.knowledge),
  ];
}

/** A tool paused for another reason was paused on purpose. */
function ofTools(tools: readonly Tool[], plugins: readonly Plugin[]): Point[] {
  const closed = tools.filter(isWithoutSecret).length;
  const failing = plugins.filter(({ status, health }) => status === 'active' && health.state === 'failing');
  return [
    ...point(closed, 'agent.toolsWithoutSecret#', places.tools),
    ...point(failing.length, 'agent.failingPlugins#', places.tools),
  ];
}

function ofVersions({ version, liveVersion }: Chatbot): Point[] {
  const isWaiting = liveVersion !== null && liveVersion !== version;
  return isWaiting ? [{ text: t('agent.unpublished'), to: places.versions }] : [];
}

function ofWeek(week: Week | undefined): Point[] {
  if (!week) return [];
  return [
    ...point(week.unanswered, 'agent.unanswered#', places.insights),
    ...point(week.broken, 'agent.broken#', places.insights),
    ...point(week.ratedDown, 'agent.ratedDown#', places.insights),
  ];
}
