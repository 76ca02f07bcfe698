import { createFileRoute } from '@tanstack/react-router';
import { referral } from '../../session/referral.ts';
import { SignInScreen } from '../../features/auth/sign-in-screen.tsx';

export const Route = createFileRoute('/auth/')({
  component: SignInScreen,
  validateSearch: ({ signup, ref }): { signup?: true; ref?: string } => ({
    ...(String(signup) === 'true' && { signup: true }),
    ...(typeof ref === 'string' && /^[\w-]{1,64}$/.test(ref) && { ref }),
  }),
  beforeLoad: ({ search: { ref } }) => {
    if (ref !== undefined) referral.set(ref);
  },
  staticData: { name: 'auth', title: 'auth.title' },
});
