import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, type SyntheticEvent } from 'react';
import type { StorefrontConfig } from '../../../contract/storefront.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { styleNonce } from '../../ui/style-nonce.ts';
import { previewQuery } from './use-storefront.ts';
import style from './storefront.module.css';

/** The page as rendered by the server. No script may run in it, and its links lead nowhere. */
export function PagePreview({ id, config }: { id: string; config: StorefrontConfig }) {
  const preview = useQuery({ ...previewQuery(id, config), placeholderData: keepPreviousData });
  const top = useRef(0);
  /** A rerendered page keeps its scroll position. */
  const stay = ({ currentTarget: { contentWindow } }: SyntheticEvent<HTMLIFrameElement>) => {
    contentWindow?.scrollTo(0, top.current);
    contentWindow?.addEventListener('scroll', () => (top.current = contentWindow.scrollY));
  };
  return (
    <QueryView {...viewOf(preview)} shape="card">
      {(html) => (
        <iframe
          className={style['frame']}
          title={t('storefront.previewOf')}
          sandbox="allow-same-origin"
          srcDoc={html.replace('<style>', `<style nonce="${styleNonce()}">`)}
          onLoad={stay}
        />
      )}
    </QueryView>
  );
}
