import { IconMessages } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import style from './chat.module.css';

export function NoConversation() {
  return (
    <div className={style['centre']}>
      <Notice
        bare
        level={1}
        icon={<IconMessages size="1.25em" aria-hidden />}
        title={t('chats.choose')}
        text={t('chats.chooseText')}
        action={
          <Link to="/" className={buttonClass('plain')}>
            {t('chats.toFront')}
          </Link>
        }
      />
    </div>
  );
}
