import { Button, Group, Input } from '@mantine/core';
import { api } from '../../api/api.ts';
import { ImageButton } from '../../forms/image-button.tsx';
import { t } from '../../messages/t.ts';
import style from './storefront.module.css';

interface PictureFieldProps {
  agentId: string;
  picture: string | null;
  onChange: (picture: string | null) => void;
}

/** The stored picture, a new one, or none. Takes effect when the page is saved. */
export function PictureField({ agentId, picture, onChange }: PictureFieldProps) {
  const upload = async (media: File) =>
    onChange((await api.chatbot.uploadImage({ id: agentId, purpose: 'picture', media })).url);
  return (
    <Input.Wrapper
      labelElement="div"
      role="group"
      aria-label={t('storefront.picture')}
      label={t('storefront.picture')}
      description={t('storefront.pictureHint')}
    >
      {picture !== null && <img className={style['picture']} src={picture} alt={t('storefront.picture')} />}
      <Group gap="xs" mt="xs">
        <ImageButton label={t('storefront.choosePicture')} failure="updateChatbot" onUpload={upload} />
        {picture !== null && (
          <Button variant="default" onClick={() => onChange(null)}>
            {t('storefront.removePicture')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
