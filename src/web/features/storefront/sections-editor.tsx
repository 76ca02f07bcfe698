import { Button, Menu, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { STOREFRONT_SECTIONS_MAX } from '../../../contract/limits.ts';
import { storefrontSectionKinds, type StorefrontSectionKind } from '../../../contract/storefront.ts';
import { t } from '../../messages/t.ts';
import { Card } from '../../ui/card.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { MoveButtons } from './move-buttons.tsx';
import { SectionFields } from './section-fields.tsx';
import { newSection, type StorefrontForm } from './storefront-form.ts';
import style from './storefront.module.css';
import { useFocusLater } from '../../hooks/use-focus-later.ts';

/** The page's sections in order, which buttons change. */
export function SectionsEditor({ form }: { form: StorefrontForm }) {
  const { sections } = form.values;
  const { list, told, nameOf, add, move, remove } = useSections(form);
  return (
    <section aria-labelledby="sections">
      <h2 id="sections" className={style['heading']}>
        {t('storefront.sections')}
      </h2>
      <p className={style['soft']}>{t('storefront.sectionsLead')}</p>
      <ol ref={list} className={style['sections']}>
        {sections.map((section, index) => (
          <li key={index} data-section={index}>
            <Card>
              <div className={style['sectionHead']}>
                <h3>{nameOf(index)}</h3>
                <MoveButtons
                  name={nameOf(index)}
                  index={index}
                  count={sections.length}
                  onMove={(to, focused) => move(index, to, focused)}
                  onRemove={() => remove(index)}
                />
              </div>
              <Stack gap="sm">
                <SectionFields form={form} section={section} path={`sections.${index}`} />
              </Stack>
            </Card>
          </li>
        ))}
        <li>{sections.length < STOREFRONT_SECTIONS_MAX && <AddSection onAdd={add} />}</li>
      </ol>
      <span role="status">
        <Hidden>{told}</Hidden>
      </span>
    </section>
  );
}

/** Whatever happens to a section, keyboard focus stays with it, or moves to what is next to its place. */
function useSections(form: StorefrontForm) {
  const { sections } = form.values;
  const [told, setTold] = useState('');
  const { list, focusLater } = useFocusLater<HTMLOListElement>();
  const nameOf = (index: number) =>
    t('storefront.section', {
      number: index + 1,
      kind: t(`storefront.kind.${sections[index]?.kind ?? 'about'}`),
    });
  return {
    list,
    /** Tells screen readers where a section has moved. */
    told,
    nameOf,
    add: (kind: StorefrontSectionKind) => {
      form.insertListItem('sections', newSection(kind));
      focusLater(`[data-section="${sections.length}"] input`);
    },
    move: (from: number, to: number, focused: string) => {
      setTold(t('storefront.moved', { name: nameOf(from), number: to + 1, count: sections.length }));
      form.reorderListItem('sections', { from, to });
      focusLater(`[data-section="${to}"] [data-${focused}]`);
    },
    remove: (index: number) => {
      form.removeListItem('sections', index);
      focusLater(sections.length > 1 ? `[data-section="${Math.max(0, index - 1)}"] input` : '[data-add]');
    },
  };
}

function AddSection({ onAdd }: { onAdd: (kind: StorefrontSectionKind) => void }) {
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button data-add variant="default" leftSection={<IconPlus size="1.15em" aria-hidden />}>
          {t('storefront.addSection')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {storefrontSectionKinds.map((kind) => (
          <Menu.Item key={kind} onClick={() => onAdd(kind)}>
            {t(`storefront.kind.${kind}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
