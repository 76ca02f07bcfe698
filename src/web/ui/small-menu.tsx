import { IconDots } from '@tabler/icons-react';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import style from './small-menu.module.css';

export interface SmallMenuItem {
  text: string;
  icon: ReactNode;
  run: () => void;
  /** A destructive action. */
  grave?: boolean;
}

interface SmallMenuProps {
  label: string;
  items: readonly SmallMenuItem[];
  /** The opener's content, also its label for screen readers; unset: three dots. */
  children?: ReactNode;
}

/** A menu behind a button, for pages that load no component library. */
export function SmallMenu({ label, items, children }: SmallMenuProps) {
  const [opened, setOpened] = useState(false);
  const frame = useRef<HTMLSpanElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!opened) return;
    const onPointer = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && frame.current?.contains(target))) setOpened(false);
    };
    addEventListener('pointerdown', onPointer);
    return () => removeEventListener('pointerdown', onPointer);
  }, [opened]);
  const close = () => {
    setOpened(false);
    opener.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!opened) return;
    if (event.key === 'Tab') setOpened(false);
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
  return (
    <span ref={frame} className={style['frame']} data-opened={opened} onKeyDown={onKeyDown}>
      <button
        ref={opener}
        type="button"
        className={children ? style['wide'] : style['opener']}
        aria-label={children ? undefined : label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? id : undefined}
        onClick={() => setOpened(!opened)}
      >
        {children ?? <IconDots size="1.15em" aria-hidden />}
      </button>
      {opened && <Items id={id} label={label} items={items} onClose={close} />}
    </span>
  );
}

interface ItemsProps extends Omit<SmallMenuProps, 'children'> {
  id: string;
  onClose: () => void;
}

function Items({ id, label, items, onClose }: ItemsProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = list;
    current?.showPopover();
    if (current) place(current);
    current?.querySelector('button')?.focus();
  }, []);
  return (
    <div
      ref={list}
      id={id}
      popover="manual"
      role="menu"
      aria-label={label}
      className={style['menu']}
      onKeyDown={onKeyDown}
    >
      {items.map(({ text, icon, run, grave = false }) => (
        <button
          key={text}
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-grave={grave}
          onClick={() => {
            onClose();
            run();
          }}
        >
          {icon}
          {text}
        </button>
      ))}
    </div>
  );
}

/** Below its opener, or above if there is no room; always within the window. */
function place(menu: HTMLElement): void {
  const opener = menu.parentElement?.getBoundingClientRect();
  if (!opener) return;
  const { width, height } = menu.getBoundingClientRect();
  const below = opener.bottom + height < innerHeight;
  menu.style.top = `${below ? opener.bottom : Math.max(0, opener.top - height)}px`;
  menu.style.left = `${Math.max(0, opener.right - width)}px`;
}

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll('button')];
  const at = all.findIndex((button) => button === document.activeElement);
  const targets: Record<string, number> = {
    ArrowDown: (at + 1) % all.length,
    ArrowUp: (at - 1 + all.length) % all.length,
    Home: 0,
    End: all.length - 1,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  all[target]?.focus();
}
