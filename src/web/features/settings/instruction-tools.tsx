import { Button, Group, Menu } from '@mantine/core';
import { IconBraces, IconTemplate } from '@tabler/icons-react';
import { useState } from 'react';
import { variableNames, type VariableName } from '../../../contract/variables.ts';
import { t } from '../../messages/t.ts';
import type { Template } from '../../messages/en-templates.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ImproveInstructions } from './improve-instructions.tsx';

const templates = [
  'support',
  'docs',
  'sales',
  'helpdesk',
  'tutor',
  'booking',
  'policy',
  'quiz',
] as const satisfies Template[];

interface InstructionToolsProps {
  text: string;
  onInsert: (variable: VariableName) => void;
  onReplace: (text: string) => void;
}

/** Helps with writing instructions: templates, variables, and a model that rewrites them. */
export function InstructionTools({ text, onInsert, onReplace }: InstructionToolsProps) {
  return (
    <Group gap="xs">
      <Templates text={text} onReplace={onReplace} />
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" size="xs" leftSection={<IconBraces size="1.15em" aria-hidden />}>
            {t('instructions.insert')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('instructions.insertHint')}</Menu.Label>
          {variableNames.map((name) => (
            <Menu.Item key={name} onClick={() => onInsert(name)}>
              <code>{`{{${name}}}`}</code> {t(`instructions.variable.${name}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ImproveInstructions text={text} onTake={onReplace} />
    </Group>
  );
}

function Templates({ text, onReplace }: Pick<InstructionToolsProps, 'text' | 'onReplace'>) {
  const [wanted, setWanted] = useState<Template | null>(null);
  const take = async (template: Template) => {
    const { templateTexts } = await import('../../messages/en-templates.ts');
    onReplace(templateTexts[template]);
    setWanted(null);
  };
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" size="xs" leftSection={<IconTemplate size="1.15em" aria-hidden />}>
            {t('instructions.template')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {templates.map((each) => (
            <Menu.Item key={each} onClick={() => (text.trim() === '' ? void take(each) : setWanted(each))}>
              {t(`template.${each}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={wanted !== null}
        title={t('instructions.replace')}
        text={t('instructions.replaceText')}
        action={t('instructions.replaceAct')}
        busy={false}
        onConfirm={() => wanted && void take(wanted)}
        onClose={() => setWanted(null)}
      />
    </>
  );
}
