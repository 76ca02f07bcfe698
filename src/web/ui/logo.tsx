import { t } from '../messages/t.ts';
import style from './logo.module.css';

export function Logo() {
  return (
    <span className={style['logo']}>
      <img className={style['mark']} src="/icon.svg" alt="" />
      <span translate="no">{t('product.name')}</span>
    </span>
  );
}
