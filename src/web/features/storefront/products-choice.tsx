import { Checkbox, Input } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Offer } from '../../../contract/product.ts';
import { t } from '../../messages/t.ts';
import { useAgentId } from '../../routing/route-params.ts';
import { MoveButtons } from './move-buttons.tsx';
import type { StorefrontForm } from './storefront-form.ts';
import style from './storefront.module.css';
import { useFocusLater } from '../../hooks/use-focus-later.ts';
import { offersQuery } from './use-storefront.ts';

/** The plans shown on the page, and their order; all those for sale unless somebody selects. */
export function ProductsChoice({ form }: { form: StorefrontForm }) {
  const { data: offers = [] } = useQuery(offersQuery(useAgentId()));
  const { products } = form.values;
  const choose = (chosen: string[] | null) => form.setFieldValue('products', chosen);
  return (
    <Input.Wrapper
      labelElement="div"
      role="group"
      aria-label={t('storefront.kind.offers')}
      description={t('storefront.offersHint')}
    >
      <Checkbox
        mt="xs"
        label={t('storefront.allPlans')}
        checked={products === null}
        onChange={({ currentTarget }) => choose(currentTarget.checked ? null : offers.map(({ id }) => id))}
      />
      {products !== null && <Chosen offers={offers} chosen={products} onChange={choose} />}
    </Input.Wrapper>
  );
}

interface ChosenProps {
  offers: readonly Offer[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** The selected ones in order, then the rest. */
function Chosen({ offers, chosen, onChange }: ChosenProps) {
  const { list, focusLater } = useFocusLater<HTMLUListElement>();
  const byId = new Map(offers.map((offer) => [offer.id, offer.detailsConfig.name]));
  const shown = chosen.filter((id) => byId.has(id));
  const others = offers.map(({ id }) => id).filter((id) => !chosen.includes(id));
  const move = (from: number, to: number, focused: string) => {
    const moved = shown[from] ?? '';
    onChange(shown.toSpliced(from, 1).toSpliced(to, 0, moved));
    focusLater(`[data-product="${moved}"] [data-${focused}]`);
  };
  return (
    <ul ref={list} className={style['products']}>
      {[...shown, ...others].map((id, index) => (
        <li key={id} data-product={id} className={style['sectionHead']}>
          <Checkbox
            label={byId.get(id)}
            checked={index < shown.length}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...shown, id] : shown.filter((each) => each !== id))
            }
          />
          {index < shown.length && (
            <MoveButtons
              name={byId.get(id) ?? ''}
              index={index}
              count={shown.length}
              onMove={(to, focused) => move(index, to, focused)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
