import { Button, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { t } from '../messages/t.ts';
import style from './saved-form.module.css';
import { UnsavedGuard } from './unsaved-guard.tsx';

interface SavedFormProps {
  onSubmit: FormEventHandler<HTMLFormElement>;
  /** True when there is something to save. */
  isChanged: boolean;
  isSaving: boolean;
  /** Who may not can read it. */
  mayWrite: boolean;
  /** What the button says in place of Save. */
  action?: string | undefined;
  /** Buttons beside it. */
  more?: ReactNode;
  children: ReactNode;
}

/** The fields of a section, which are saved together and are not left by mistake. */
export function SavedForm({
  onSubmit,
  isChanged,
  isSaving,
  mayWrite,
  action = t('ui.save'),
  more,
  children,
}: SavedFormProps) {
  return (
    <>
      <UnsavedGuard changed={isChanged} />
      <form noValidate onSubmit={onSubmit}>
        <fieldset className={style['fields']} disabled={!mayWrite}>
          <Stack>
            {children}
            <div className={style['acts']}>
              <Button type="submit" loading={isSaving} disabled={!isChanged}>
                {action}
              </Button>
              {more}
            </div>
          </Stack>
        </fieldset>
      </form>
    </>
  );
}
