import { IconSearch } from '@tabler/icons-react';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../messages/t.ts';
import style from './command-box.module.css';
import { Hidden } from './hidden.tsx';
import { useModal } from './use-modal.ts';

export interface Command {
  id: string;
  title: string;
  /** Its context, if the title alone is ambiguous. */
  detail?: string;
  icon: ReactNode;
  run: () => void;
}

export interface CommandGroup {
  title: string;
  commands: readonly Command[];
}

interface CommandBoxProps {
  label: string;
  query: string;
  onQuery: (query: string) => void;
  /** The matches for the query, best first; none is empty. */
  groups: readonly CommandGroup[];
  onClose: () => void;
}

/** A field above a list: arrows select, Enter runs. Focus stays in the field, so that typing is always possible. */
export function CommandBox({ label, query, onQuery, groups, onClose }: CommandBoxProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  const id = useId();
  const commands = groups.flatMap((group) => group.commands);
  const { chosen, choose, step } = useChosen(id, commands);
  const run = (command: Command) => {
    onClose();
    command.run();
  };
  return (
    <dialog
      ref={dialog}
      className={style['box']}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <Field
        label={label}
        query={query}
        listId={`${id}-list`}
        chosenId={chosen && optionId(id, chosen)}
        onQuery={(next) => {
          choose(null);
          onQuery(next);
        }}
        onStep={step}
        onEnter={() => chosen && run(chosen)}
      />
      <Count count={commands.length} />
      <List id={id} label={label} groups={groups} chosen={chosen} onPoint={choose} onRun={run} />
    </dialog>
  );
}

/** The command Enter would run: the first one until another is selected. */
function useChosen(boxId: string, commands: readonly Command[]) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = commands.find((command) => command.id === chosenId) ?? commands[0];
  const choose = (command: Command | null) => setChosenId(command?.id ?? null);
  const step = (by: 1 | -1) => {
    const next = chosen && commands.at((commands.indexOf(chosen) + by) % commands.length);
    if (!next) return;
    choose(next);
    document.getElementById(optionId(boxId, next))?.scrollIntoView({ block: 'nearest' });
  };
  return { chosen, choose, step };
}

interface ListProps {
  /** The box's. */
  id: string;
  label: string;
  groups: readonly CommandGroup[];
  chosen: Command | undefined;
  onPoint: (command: Command) => void;
  onRun: (command: Command) => void;
}

function List({ id, label, groups, chosen, onPoint, onRun }: ListProps) {
  return (
    <div role="listbox" id={`${id}-list`} className={style['list']} aria-label={label}>
      {groups.map(({ title, commands }) => (
        <div key={title} role="group" aria-label={title}>
          <div className={style['heading']} aria-hidden>
            {title}
          </div>
          {commands.map((command) => (
            <Option
              key={command.id}
              id={optionId(id, command)}
              command={command}
              isChosen={command === chosen}
              onPoint={() => onPoint(command)}
              onRun={() => onRun(command)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

function optionId(boxId: string, { id }: Command): string {
  return `${boxId}-${id}`;
}

interface FieldProps {
  label: string;
  query: string;
  listId: string;
  chosenId: string | undefined;
  onQuery: (query: string) => void;
  onStep: (by: 1 | -1) => void;
  onEnter: () => void;
}

function Field({ label, query, listId, chosenId, onQuery, onStep, onEnter }: FieldProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return;
    event.preventDefault();
    if (event.key === 'Enter') onEnter();
    else onStep(event.key === 'ArrowDown' ? 1 : -1);
  };
  return (
    <div className={style['field']}>
      <IconSearch size="1.25em" aria-hidden />
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={chosenId !== undefined}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosenId}
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        value={query}
        onKeyDown={onKeyDown}
        onChange={(event) => onQuery(event.currentTarget.value)}
      />
    </div>
  );
}

function Count({ count }: { count: number }) {
  return (
    <div role="status">
      {count === 0 ? (
        <p className={style['none']}>{t('commands.none')}</p>
      ) : (
        <Hidden>{t('commands.found#', { count })}</Hidden>
      )}
    </div>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  isChosen: boolean;
  onPoint: () => void;
  onRun: () => void;
}

function Option({ id, command: { title, detail, icon }, isChosen, onPoint, onRun }: OptionProps) {
  return (
    // Keyboard input belongs to the field: an option never has focus.
    <div
      role="option"
      id={id}
      aria-selected={isChosen}
      className={style['option']}
      onPointerMove={onPoint}
      onClick={onRun}
    >
      <span className={style['icon']}>{icon}</span>
      <span className={style['title']}>{title}</span>
      {detail && <span className={style['detail']}>{detail}</span>}
    </div>
  );
}
