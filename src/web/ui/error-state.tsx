import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '../messages/t.ts';
import { PlainButton } from './button.tsx';
import { Notice } from './notice.tsx';

interface ErrorStateProps {
  /** The text a person reads about the failure. */
  message: string;
  onRetry?: () => void;
  bare?: boolean;
}

/** Shown instead of content that could not be loaded. */
export function ErrorState({ message, onRetry, bare = false }: ErrorStateProps) {
  const retry = onRetry && <PlainButton onClick={onRetry}>{t('ui.retry')}</PlainButton>;
  const icon = <IconAlertTriangle size="1.25em" aria-hidden />;
  return (
    <Notice role="alert" bare={bare} icon={icon} title={t('error.title')} text={message} action={retry} />
  );
}
