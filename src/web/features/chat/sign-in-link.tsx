import { Link, useLocation } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { rememberPage } from '../../session/return-to.ts';
import { buttonClass } from '../../ui/button.tsx';

/** Signs in and returns to this page. */
export function SignInLink() {
  const page = useLocation({ select: ({ href }) => href });
  return (
    <Link to="/auth" className={buttonClass('plain')} onClick={() => rememberPage(page)}>
      {t('nav.signIn')}
    </Link>
  );
}
