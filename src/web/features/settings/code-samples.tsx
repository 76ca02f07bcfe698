import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { CodeSample } from './code-sample.tsx';
import { sampleLanguages, sampleOf, type SampleLanguage } from './samples.ts';
import style from './share.module.css';

const ways = ['whole', 'streamed'] as const;

/** How a program talks to the agent, in the reader's programming language. */
export function CodeSamples({ agentId }: { agentId: string }) {
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const [way, setWay] = useState<(typeof ways)[number]>('whole');
  const code = sampleOf(language, { origin: location.origin, agentId }, way === 'streamed');
  return (
    <div className={style['samples']}>
      <h3 className={style['subheading']}>{t('share.samples')}</h3>
      <p className={style['hint']}>{t('share.samplesLead')}</p>
      <div className={style['choices']}>
        <SegmentedControl
          aria-label={t('share.sampleLanguage')}
          data={[...sampleLanguages]}
          value={language}
          onChange={setLanguage}
        />
        <SegmentedControl
          aria-label={t('share.sampleWay')}
          data={ways.map((value) => ({ value, label: t(`share.${value}`) }))}
          value={way}
          onChange={setWay}
        />
      </div>
      <CodeSample name={t('share.sample', { name: language })} code={code} />
    </div>
  );
}
