import type { Insight } from '../../../contract/insight.ts';
import { formatNumber } from '../../format.ts';
import { wordLocale } from '../../messages/locale.ts';
import { t } from '../../messages/t.ts';
import { Hidden } from '../../ui/hidden.tsx';
import style from './insights.module.css';
import './messages.ts';

const weekday = new Intl.DateTimeFormat(wordLocale, { weekday: 'short', timeZone: 'UTC' });
/** January 1, 2024 was a Monday. */
const nameOf = (day: number) => weekday.format(Date.UTC(2024, 0, day));
const weekdays = [1, 2, 3, 4, 5, 6, 7];
const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** When people write: each hour of the week is shaded by its number of messages, and states it. */
export function WeekMap({ found, timeZone }: { found: Insight['hours']; timeZone: string }) {
  const by = new Map(found.map(({ weekday: day, hour, messages }) => [`${day} ${hour}`, messages]));
  const most = Math.max(1, ...by.values());
  return (
    <section className={style['part']} aria-labelledby="hours">
      <h2 id="hours">{t('insights.hours')}</h2>
      <p>{t('insights.hoursLead', { zone: timeZone })}</p>
      <div className={style['scroll']} tabIndex={0} role="group" aria-labelledby="hours">
        <table className={style['week']}>
          <thead>
            <tr>
              <th scope="col">
                <Hidden>{t('insights.weekday')}</Hidden>
              </th>
              {hours.map((hour) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weekdays.map((day) => (
              <tr key={day}>
                <th scope="row">{nameOf(day)}</th>
                {hours.map((hour) => (
                  <Hour key={hour} messages={by.get(`${day} ${hour}`) ?? 0} most={most} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** In five steps, so that no page needs a separate style for each. */
function Hour({ messages, most }: { messages: number; most: number }) {
  return (
    <td data-step={Math.ceil((messages / most) * 5)} title={formatNumber(messages)}>
      <Hidden>{formatNumber(messages)}</Hidden>
    </td>
  );
}
