import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { hashKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { TestCase } from '../../../contract/test-set.ts';
import { changedMeanwhile } from '../../forms/save-over.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { CaseDialog, type EditedCase } from './case-dialog.tsx';
import { inWords } from './expectation-text.ts';
import style from './tests.module.css';
import { useChangeCases, type SetKey } from './use-tests.ts';

interface CasesProps {
  of: SetKey;
  cases: readonly TestCase[];
  mayWrite: boolean;
}

/** A set's questions; each change is saved at once. */
export function Cases({ of, cases, mayWrite }: CasesProps) {
  const [edited, setEdited] = useState<EditedCase | null>(null);
  const change = useChangeCases(of, () => {
    toast.success({ title: t('tests.saved') });
    setEdited(null);
  });
  const put = (changed: EditedCase) =>
    change.mutate((now) => {
      if (changed.id === undefined) return [...now, changed];
      const theirs = now.find(({ id }) => id === changed.id);
      if (theirs && hashKey([theirs]) === hashKey([edited]))
        return now.map((each) => (each.id === changed.id ? changed : each));
      // The next save is deliberate; of one that is gone, it adds it again.
      setEdited(theirs ?? { question: changed.question, expectations: changed.expectations });
      throw changedMeanwhile();
    });
  const remove = (id: string) => change.mutate((now) => now.filter((each) => each.id !== id));
  return (
    <Stack gap="sm">
      <h3>{t('tests.questions')}</h3>
      {cases.length === 0 ? (
        <p className={style['soft']}>{t('tests.noQuestions')}</p>
      ) : (
        <CasesTable
          cases={cases}
          renderButtons={(each, number) =>
            mayWrite && (
              <CaseButtons number={number} onEdit={() => setEdited(each)} onRemove={() => remove(each.id)} />
            )
          }
        />
      )}
      {mayWrite && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size="1.15em" aria-hidden />}
            onClick={() => setEdited({ question: '', expectations: [] })}
          >
            {t('tests.add')}
          </Button>
        </div>
      )}
      {edited && (
        <CaseDialog edited={edited} busy={change.isPending} onSave={put} onClose={() => setEdited(null)} />
      )}
    </Stack>
  );
}

interface CasesTableProps {
  cases: readonly TestCase[];
  renderButtons: (of: TestCase, number: number) => ReactNode;
}

function CasesTable({ cases, renderButtons }: CasesTableProps) {
  return (
    <DataTable
      label={t('tests.questions')}
      columns={[t('tests.question'), t('tests.expected')]}
      actions={t('tests.actions')}
    >
      {cases.map((each, index) => (
        <tr key={each.id}>
          <Cell kind="main">
            <span className={style['question']}>{each.question}</span>
          </Cell>
          <Cell label={t('tests.expected')}>
            <Expected of={each} />
          </Cell>
          <Cell kind="actions">{renderButtons(each, index + 1)}</Cell>
        </tr>
      ))}
    </DataTable>
  );
}

function Expected({ of: { expectations } }: { of: TestCase }) {
  if (expectations.length === 0) return t('tests.expectNothing');
  return (
    <ul className={style['expected']}>
      {expectations.map((expectation, index) => (
        <li key={index}>{inWords(expectation)}</li>
      ))}
    </ul>
  );
}

interface CaseButtonsProps {
  number: number;
  onEdit: () => void;
  onRemove: () => void;
}

function CaseButtons({ number, onEdit, onRemove }: CaseButtonsProps) {
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('tests.editNumber', { number })}
        onClick={onEdit}
      >
        <IconPencil size="1.15em" />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('tests.removeNumber', { number })}
        onClick={onRemove}
      >
        <IconTrash size="1.15em" />
      </ActionIcon>
    </Group>
  );
}
