import { useState } from 'react';
import { laterCalls } from '../api/later-calls.ts';
import { createClient } from '../../contract/client.ts';
import type { ParleyContract } from '../../contract/index.ts';
import { download } from '../download.ts';
import style from './embed.module.css';
import { t } from './text.ts';
import { withoutCookies, type Visits } from './visits.ts';

const LOOK_EVERY_MS = 1000;
const WORD = 'erase';

interface YourDataProps {
  visits: Visits;
  /** Called when none of their data is left. */
  onErased: () => void;
  onBack: () => void;
}

/** What the site's agent knows of its visitor: exporting and erasing it. */
export function YourData({ visits, onErased, onBack }: YourDataProps) {
  const [typed, setTyped] = useState('');
  const [said, setSaid] = useState('');
  const [receipt, setReceipt] = useState<string | null>(null);
  const attempt = (work: () => Promise<void>) => {
    setSaid(t('embed.working'));
    work().catch(() => setSaid(t('embed.failed')));
  };
  const save = async () => {
    await downloadAll(visits);
    setSaid('');
  };
  const erase = async () => {
    const { token } = (await connect(visits).erase({ confirmation: WORD })).erasure;
    visits.forget();
    onErased();
    setReceipt(`/erased/${token}`);
    await untilErased(token);
    setSaid('');
  };
  // A visitor who goes back before it is done would still be the same person.
  const isErasing = receipt !== null && said === t('embed.working');
  return (
    <section className={style['data']} aria-label={t('embed.data')}>
      <h2>{t('embed.data')}</h2>
      <p role="status">{said}</p>
      {receipt === null ? (
        <>
          <button type="button" onClick={() => attempt(save)}>
            {t('embed.download')}
          </button>
          <label>
            {t('embed.eraseText', { word: WORD })}
            <input value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
          </label>
          <button type="button" disabled={typed !== WORD} onClick={() => attempt(erase)}>
            {t('embed.erase')}
          </button>
        </>
      ) : (
        <a href={receipt} target="_blank" rel="noreferrer">
          {t('embed.receipt')}
        </a>
      )}
      <button type="button" disabled={isErasing} onClick={onBack}>
        {t('embed.back')}
      </button>
    </section>
  );
}

/** Without `visits`: unauthenticated. */
function connect(visits?: Visits) {
  return createClient<Pick<ParleyContract, 'privacy'>>(
    { privacy: laterCalls.privacy },
    { baseUrl: '', token: () => visits?.token(), fetch: withoutCookies },
  ).privacy;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

/** The token it was requested with belongs to nobody any more. */
async function untilErased(token: string): Promise<void> {
  const privacy = connect();
  while ((await privacy.getErasure({ token })).erasure.state === 'running') await pause();
}

async function downloadAll(visits: Visits): Promise<void> {
  const privacy = connect(visits);
  let { export: made } = await privacy.beginExport({});
  while (made.state === 'queued' || made.state === 'writing') {
    await pause();
    made = (await privacy.getExport({})).export ?? made;
  }
  if (made.state === 'failed') throw new Error('The file could not be made.');
  const content = await privacy.readExport({ exportId: made.id });
  download({ name: 'my-data.zip', type: 'application/zip', content });
}
