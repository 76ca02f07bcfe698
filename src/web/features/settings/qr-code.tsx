import { Button, Group } from '@mantine/core';
import { useMemo } from 'react';
import { download } from '../../download.ts';
import { t } from '../../messages/t.ts';
import { pathOf, pngOf, qrColours, qrOf, svgOf } from './qr.ts';
import style from './share.module.css';

/** An address for phones to scan, here and as a file. */
export function QrCode({ address, fileName }: { address: string; fileName: string }) {
  const qr = useMemo(() => qrOf(address), [address]);
  const saveSvg = () => download({ name: `${fileName}.svg`, type: 'image/svg+xml', content: svgOf(qr) });
  const savePng = async () => {
    const content = await pngOf(qr);
    if (content) download({ name: `${fileName}.png`, type: 'image/png', content });
  };
  return (
    <div className={style['qr']}>
      <svg
        role="img"
        aria-label={t('share.qr')}
        className={style['code']}
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        shapeRendering="crispEdges"
      >
        <path fill={qrColours.light} d={`M0 0h${qr.size}v${qr.size}H0z`} />
        <path fill={qrColours.dark} d={pathOf(qr)} />
      </svg>
      <div className={style['beside']}>
        <p className={style['hint']}>{t('share.qrLead')}</p>
        <Group gap="xs">
          <Button variant="default" onClick={saveSvg}>
            {t('share.qrSvg')}
          </Button>
          <Button variant="default" onClick={() => void savePng()}>
            {t('share.qrPng')}
          </Button>
        </Group>
      </div>
    </div>
  );
}
