import { Button, Group } from '@mantine/core';
import { api } from '../../api/api.ts';
import { ImageButton } from '../../forms/image-button.tsx';
import { t } from '../../messages/t.ts';
import style from './skins.module.css';

interface LogoFieldProps {
  agentId: string;
  logo: string | null;
  onChange: (logo: string | null) => void;
}

/** The stored logo, a new one, or none. Takes effect when the look is saved. */
export function LogoField({ agentId, logo, onChange }: LogoFieldProps) {
  const upload = async (media: File) =>
    onChange((await api.chatbot.uploadImage({ id: agentId, purpose: 'logo', media })).url);
  return (
    <fieldset className={`${style['group']} ${style['section']}`}>
      <legend className={style['heading']}>{t('looks.logo')}</legend>
      <p className={style['hint']}>{t('looks.logoHint')}</p>
      <div className={style['logo']}>
        {logo === null ? t('looks.noLogo') : <img src={logo} alt={t('looks.logoPreview')} />}
      </div>
      <Group>
        <ImageButton label={t('looks.logoChoose')} failure="updateChatbot" onUpload={upload} />
        {logo !== null && (
          <Button variant="default" onClick={() => onChange(null)}>
            {t('looks.logoRemove')}
          </Button>
        )}
      </Group>
    </fieldset>
  );
}
