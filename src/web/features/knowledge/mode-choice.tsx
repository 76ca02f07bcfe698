import { SegmentedControl } from '@mantine/core';
import { t } from '../../messages/t.ts';
import style from './knowledge.module.css';
import type { SiteMode } from './site-values.ts';

interface ModeChoiceProps {
  mode: SiteMode;
  onChange: (mode: SiteMode) => void;
}

/** Which pages are read: those named, those they link to, or those in the sitemap. */
export function ModeChoice({ mode, onChange }: ModeChoiceProps) {
  return (
    <div className={style['mode']}>
      <SegmentedControl
        fullWidth
        aria-label={t('knowledge.whichPages')}
        value={mode}
        onChange={onChange}
        data={(['links', 'domain', 'sitemap'] as const).map((value) => ({
          value,
          label: t(`knowledge.mode.${value}`),
        }))}
      />
      <p className={style['soft']}>{t(`knowledge.modeText.${mode}`)}</p>
    </div>
  );
}
