import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import style from './improvement.module.css';
import { useMay } from '../../session/use-role.ts';
import './messages.ts';
import { topClustersQuery } from './use-questions.ts';

const SHOWN = 5;

/** The unanswered questions asked most, each with a link to where it can be answered. */
export function UnansweredList({ agentId }: { agentId: string }) {
  const orgId = useOrgId();
  const found = useQuery(topClustersQuery(agentId, SHOWN));
  const params = { orgId, agentId };
  const mayWrite = useMay(orgId, 'agent.write');
  return (
    <section className={style['unanswered']} aria-labelledby="unanswered">
      <h2 id="unanswered">{t('improvement.top')}</h2>
      <QueryView {...viewOf(found)}>
        {(clusters) =>
          clusters.length === 0 ? (
            <p className={style['facts']}>{t('improvement.noneOpen')}</p>
          ) : (
            <>
              <ul className={style['top']}>
                {clusters.map(({ id, title, count }) => (
                  <li key={id}>
                    <span>
                      {title}
                      <span className={style['facts']}> · {t('improvement.count#', { count })}</span>
                    </span>
                    {mayWrite && (
                      <Link
                        className={buttonClass('plain')}
                        to="/platform/{-$orgId}/agent/$agentId/questions"
                        params={params}
                        search={{ cluster: id }}
                        aria-label={`${t('improvement.answer')}: ${title}`}
                      >
                        {t('improvement.answer')}
                      </Link>
                    )}
                  </li>
                ))}
              </ul>
              <Link to="/platform/{-$orgId}/agent/$agentId/questions" params={params}>
                {t('improvement.more')}
              </Link>
            </>
          )
        }
      </QueryView>
    </section>
  );
}
