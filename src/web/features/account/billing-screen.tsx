import { LaterPage } from '../../layouts/later-page.tsx';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../permitted.tsx';

export function BillingScreen() {
  return (
    <Permitted permission="organization.own" title={t('later.billing')}>
      <LaterPage />
    </Permitted>
  );
}
