import { Outlet } from '@tanstack/react-router';
import { useStore } from '../../store.ts';
import { scheme } from '../../theme.ts';
import { MantineRoot } from '../../ui/mantine-root.tsx';
import style from './auth.module.css';

/** A narrow column for everything about signing in. */
export function AuthFrame() {
  return (
    <MantineRoot scheme={useStore(scheme)}>
      <div className={style['frame']}>
        <Outlet />
      </div>
    </MantineRoot>
  );
}
