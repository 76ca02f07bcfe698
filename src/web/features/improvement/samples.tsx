import { Link } from '@tanstack/react-router';
import type { AskedQuestion, NearPassage } from '../../../contract/improvement.ts';
import { formatShare } from '../../format.ts';
import { lineOf } from '../../line-of.ts';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Badge } from '../../ui/badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './improvement.module.css';

/** Some of those who asked, each with a link to the context. */
export function Samples({ samples }: { samples: readonly AskedQuestion[] }) {
  const orgId = useOrgId();
  return (
    <section>
      <h3 className={style['heading']}>{t('improvement.samples')}</h3>
      <ul className={style['lines']}>
        {samples.map(({ messageId, conversationId, text, askedAt, why, confidence }) => (
          <li key={messageId}>
            <Link to="/platform/{-$orgId}/inbox/$conversationId" params={{ orgId, conversationId }}>
              {text}
            </Link>
            <p className={style['facts']}>
              {why && <Badge tone="warning">{t(`improvement.why.${why}`)}</Badge>}{' '}
              {confidence !== null && `${formatShare(confidence)} · `}
              <TimeAgo at={askedAt} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Passages({ passages }: { passages: readonly NearPassage[] }) {
  const orgId = useOrgId();
  const agentId = useAgentId();
  return (
    <section>
      <h3 className={style['heading']}>{t('improvement.passages')}</h3>
      {passages.length === 0 && <p className={style['facts']}>{t('improvement.noPassages')}</p>}
      <ul className={style['lines']}>
        {passages.map(({ chunkId, knowledgeId, sourceId, title, text }) => (
          <li key={chunkId}>
            <Link
              to="/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId"
              params={{ orgId, agentId, knowledgeId }}
              search={{ source: sourceId }}
            >
              {title}
            </Link>
            <p className={style['passage']}>{lineOf(text)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
