import type { Appearance } from '../../../contract/appearance.ts';
import { skinIds, skins, type Skin } from '../../../contract/skins.ts';
import { t } from '../../messages/t.ts';
import style from './skins.module.css';

interface SkinGalleryProps {
  /** The current look; a custom skin is shown in its colors. */
  appearance: Appearance;
  onChoose: (changes: Partial<Appearance>) => void;
}

/** The presets and the custom colors, side by side; selected by pointer or arrow keys. */
export function SkinGallery({ appearance, onChoose }: SkinGalleryProps) {
  const { skin: chosen, accent, light, dark } = appearance;
  return (
    <fieldset className={style['gallery']}>
      <legend className={style['heading']}>{t('looks.presets')}</legend>
      <p className={style['hint']}>{t('looks.presetsLead')}</p>
      <div className={style['choices']}>
        {skinIds.map((id) => (
          <Choice
            key={id}
            name={t(`looks.skin-${id}`)}
            colours={skins[id]}
            isChosen={id === chosen}
            onChoose={() => onChoose({ skin: id, ...skins[id] })}
          />
        ))}
        <Choice
          name={t('looks.skin-own')}
          colours={{ accent, light, dark }}
          isChosen={chosen === 'own'}
          onChoose={() => onChoose({ skin: 'own' })}
        />
      </div>
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  colours: Pick<Skin, 'accent' | 'light' | 'dark'>;
  isChosen: boolean;
  onChoose: () => void;
}

function Choice({ name, colours, isChosen, onChoose }: ChoiceProps) {
  const { accent, light, dark } = colours;
  return (
    <label className={style['choice']}>
      <input type="radio" name="skin" checked={isChosen} onChange={onChoose} />
      <span className={style['swatch']} aria-hidden>
        {[light, dark].map(({ background, bubble, text }, index) => (
          <span key={index} className={style['half']} style={{ background }}>
            <span className={style['line']} style={{ background: bubble }} />
            <span className={style['line']} style={{ background: text }} />
            <span className={style['dot']} style={{ background: accent }} />
          </span>
        ))}
      </span>
      <span className={style['choiceName']}>{name}</span>
    </label>
  );
}
