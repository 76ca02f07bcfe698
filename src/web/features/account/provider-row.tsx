import { Button } from '@mantine/core';
import { IconBrandGoogle, IconMail } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuthUser } from '../../../contract/identity.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { adoptSession, refreshSession } from '../../session/session.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import style from './account.module.css';
import { ChangeEmail } from './change-email.tsx';

interface ProviderRowProps {
  provider: AuthUser['providerData'][number];
  /** The only remaining sign-in method; it can't be removed. */
  isLast: boolean;
  /** Of this page. */
  path: string;
}

export function ProviderRow({ provider: { providerId, email }, isLast, path }: ProviderRowProps) {
  const [asking, setAsking] = useState(false);
  const name = t(`account.provider.${providerId}`);
  const Icon = providerId === 'google' ? IconBrandGoogle : IconMail;
  const unlink = useMutation({
    mutationFn: async () => {
      await api.identity.unlink({ providerId });
      adoptSession(await refreshSession());
    },
    onSuccess: () => {
      setAsking(false);
      toast.success({ title: t('account.unlinked', { name }) });
    },
    meta: { failure: 'updateProfile' },
  });
  return (
    <li className={style['row']}>
      <Icon size="1.25em" aria-hidden />
      <span className={style['rowText']}>
        <span className={style['rowName']}>{name}</span>
        <span className={style['rowDetail']}>
          {isLast ? t('account.lastWay', { email: email ?? '' }) : email}
        </span>
      </span>
      {providerId === 'email' && <ChangeEmail key={email} path={path} />}
      {!isLast && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('account.unlinkName', { name })}
          onClick={() => setAsking(true)}
        >
          {t('account.unlink')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('account.unlinkName', { name })}
        text={t('account.unlinkText', { name })}
        action={t('account.unlink')}
        busy={unlink.isPending}
        onConfirm={() => unlink.mutate()}
        onClose={() => setAsking(false)}
      />
    </li>
  );
}
