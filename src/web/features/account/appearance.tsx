import { SegmentedControl } from '@mantine/core';
import { t } from '../../messages/t.ts';
import { useStore } from '../../store.ts';
import { chooseColourMode, colourMode, colourModes } from '../../theme.ts';
import { Section } from '../../ui/section.tsx';

export function Appearance() {
  const mode = useStore(colourMode);
  return (
    <Section title={t('account.colourMode')} lead={t('account.colourModeLead')}>
      <SegmentedControl
        aria-label={t('account.colourMode')}
        value={mode}
        onChange={chooseColourMode}
        data={colourModes.map((value) => ({ value, label: t(`account.colourMode.${value}`) }))}
      />
    </Section>
  );
}
