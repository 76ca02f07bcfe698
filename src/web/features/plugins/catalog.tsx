import {
  IconBrandDiscord,
  IconBrandSlack,
  IconBrandTelegram,
  IconBrandWhatsapp,
  IconBrandX,
  IconMail,
  IconMessageCircle,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PluginOffer } from '../../../contract/plugin.ts';
import type { PluginType } from '../../../contract/plugin-names.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { choiceClass, Choices } from '../../ui/choices.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { nameOf } from './plugin-words.ts';
import style from './plugins.module.css';
import { catalogQuery } from './use-plugins.ts';
import './messages.ts';

const icons: Record<PluginType, Icon> = {
  twitter: IconBrandX,
  telegram: IconBrandTelegram,
  slack: IconBrandSlack,
  discord: IconBrandDiscord,
  whatsapp: IconBrandWhatsapp,
  email: IconMail,
  webhook: IconWebhook,
};

/** All the channels available to an agent. */
export function Catalog() {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  const catalog = useQuery(catalogQuery());
  return (
    <section className={style['catalog']} aria-labelledby="channels">
      <h2 id="channels" className={style['heading']}>
        {t('plugins.channels')}
      </h2>
      <QueryView {...viewOf(catalog)}>
        {(offers) => (
          <Choices>
            <li>
              <Link
                to="/platform/{-$orgId}/agent/$agentId/settings/share"
                params={params}
                className={choiceClass}
              >
                <IconMessageCircle size="1.5em" aria-hidden />
                <strong>{t('plugins.widget')}</strong>
                {t('plugins.widgetText')}
              </Link>
            </li>
            {offers.map((offer) => (
              <li key={offer.type}>
                <Choice offer={offer} params={params} />
              </li>
            ))}
          </Choices>
        )}
      </QueryView>
    </section>
  );
}

interface ChoiceProps {
  offer: PluginOffer;
  params: { orgId: string; agentId: string };
}

function Choice({ offer: { type, isAvailable }, params }: ChoiceProps) {
  const Sign = icons[type];
  return (
    <Link
      to="/platform/{-$orgId}/agent/$agentId/plugins/$pluginHandle/install"
      params={{ ...params, pluginHandle: type }}
      className={choiceClass}
    >
      <Sign size="1.5em" aria-hidden />
      <strong>{nameOf(type)}</strong>
      {t(`tools.pluginText.${type}`)}
      {!isAvailable && <em>{t('plugins.notAvailable')}</em>}
    </Link>
  );
}
