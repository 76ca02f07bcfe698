import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Component, useCallback, useEffect, type ReactNode } from 'react';
import { ApiError } from '../../contract/client.ts';
import { isDeciding } from '../chunk-reload.ts';
import { t } from '../messages/t.ts';
import { isReachable, online, untilOnline } from '../online.ts';
import { PageError } from '../routing/page-error.ts';
import { buttonClass, PlainButton } from '../ui/button.tsx';
import { useStore } from '../store.ts';
import { Notice } from '../ui/notice.tsx';
import { OfflineBar } from '../ui/offline-bar.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { DefaultLayout } from './default.tsx';

/** Message, status and a link home, shown instead of a page that failed. */
export function ErrorPage(props: ErrorComponentProps) {
  return (
    <LastResort>
      <ErrorDetail {...props} />
    </LastResort>
  );
}

/** The same if the page's own layout can't be shown either. */
export function RootErrorPage(props: ErrorComponentProps) {
  return (
    <LastResort>
      {!useStore(online) && <OfflineBar />}
      <DefaultLayout>
        <ErrorDetail {...props} />
      </DefaultLayout>
    </LastResort>
  );
}

function ErrorDetail({ error }: ErrorComponentProps) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const status = statusOf(error);
  const message = (error instanceof Error && error.message) || t('error.unknown');
  useEffect(() => {
    document.title = t('page.title', { title: t('error.title') });
  }, []);
  const retry = useCallback(() => {
    // A page can't request missing code again once an import of it has failed.
    if (message === t('error.codeMissing')) return location.reload();
    reset();
    void router.invalidate();
  }, [message, reset, router]);
  useWhenBack(retry);
  if (useStore(isDeciding)) return <Skeleton shape="row" titled />;
  return (
    <Notice
      bare
      level={1}
      role="alert"
      icon={<IconAlertTriangle size="1.25em" aria-hidden />}
      title={message}
      text={t('error.status', { status })}
      action={
        <>
          <PlainButton onClick={retry}>{t('ui.retry')}</PlainButton>{' '}
          {/* A full load: whatever broke the page is gone with it. */}
          <a href="/" className={buttonClass('plain')}>
            {t('error.home')}
          </a>
        </>
      }
    />
  );
}

/** If the server or the network was down, the page is retried automatically when it is back. */
function useWhenBack(retry: () => void): void {
  useEffect(() => {
    let isLeft = false;
    void isReachable().then(async (isThere) => {
      if (isThere) return;
      await untilOnline();
      if (!isLeft) retry();
    });
    return () => {
      isLeft = true;
    };
  }, [retry]);
}

function statusOf(error: unknown): number {
  if (error instanceof PageError) return error.status;
  return error instanceof ApiError && error.status > 0 ? error.status : 500;
}

/** For a failure of the error page itself. */
class LastResort extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <p>
        {t('error.errorPageFailed')} <a href="/">{t('error.goBackHome')}</a>
      </p>
    );
  }
}
