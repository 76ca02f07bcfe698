import { NativeSelect } from '@mantine/core';
import { Appearance } from '../../../contract/chatbot.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../route-params.ts';
import { useMay } from '../../use-role.ts';
import { useSaveAgent } from './use-save-agent.ts';

const positions = Appearance.shape.position.unwrap().options;

/** The corner of a site at which the widget waits; a choice counts at once, the rest of the look stays. */
export function WidgetPosition({ appearance }: { appearance: Appearance }) {
  const save = useSaveAgent();
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const shown = save.isPending
    ? (save.variables.appearance?.position ?? appearance.position)
    : appearance.position;
  return (
    <NativeSelect
      label={t('settings.position')}
      description={t('settings.positionHint')}
      data={positions.map((value) => ({ value, label: t(`settings.position-${value}`) }))}
      disabled={!mayWrite || save.isPending}
      value={shown}
      onChange={({ currentTarget }) => {
        const position = positions.find((each) => each === currentTarget.value);
        if (position) save.mutate({ appearance: { ...appearance, position } });
      }}
    />
  );
}
