import { Button, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { t } from '../messages/t.ts';
import style from './saved-form.module.css';
import { UnsavedGuard } from './unsaved-guard.tsx';

interface SavedFormProps {
  onSubmit: FormEventHandler<HTMLFormElement>;
  /** True if there is something to save. */
  isChanged: boolean;
  isSaving: boolean;
  /** Without it the form is read-only. */
  mayWrite: boolean;
  /** The button's label instead of Save. */
  action?: string | undefined;
  /** Buttons beside it. */
  more?: ReactNode;
  children: ReactNode;
}

/** A section's fields, which are saved together; unsaved changes aren't left by mistake. */
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
