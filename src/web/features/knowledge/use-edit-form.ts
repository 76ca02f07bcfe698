import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { laterApi } from '../../api/later-api.ts';
import { standing, useStored, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { titleOf } from './item-title.ts';
import { readLinks } from './lines.ts';
import { showItemErrors } from './show-item-errors.ts';
import { checkSite, settingsOf, valuesOf, type SiteMode, type SiteValues } from './site-values.ts';
import { checkTexts } from './text-fields.ts';

interface EditValues extends SiteValues, Record<string, unknown> {
  description: string;
  text: string;
  links: string;
  mode: SiteMode;
}

/** Which fields an item has. */
export function partsOf({ type, text, links }: Knowledge) {
  return {
    hasText: type === 'qa' || (type === 'text' && text !== null),
    hasLinks: type === 'website' || (type === 'product' && links.length > 0),
    /** Its description is its entire content. */
    isDescriptionText: (type === 'text' && text === null) || (type === 'product' && links.length === 0),
  };
}

/** The item as it was when its editing began: what others change meanwhile is neither shown nor overwritten. */
export function useEditForm(current: Knowledge) {
  const [item, setItem] = useState(current);
  const labels = labelsOf(item);
  const before: EditValues = {
    // An item without its own name is shown under the one it goes by.
    description: item.description || titleOf(item),
    text: item.text ?? '',
    links: item.links.join('\n'),
    mode: item.site?.mode ?? 'links',
    ...valuesOf(item),
  };
  const form = useValidForm<EditValues>({
    initial: before,
    labels,
    check: (values) => checkEdit(item, values, labels),
  });
  useStored(form, before);
  const save = useSave(item, before, (error) => {
    const now = standing(error);
    if (!now) return showItemErrors(form, error);
    toast.error({ title: t('settings.changedMeanwhile') });
    // The next save is deliberate.
    setItem({ ...item, ...now });
    return true;
  });
  return { form, labels, save };
}

function useSave(item: Knowledge, before: EditValues, onRefused: (error: unknown) => boolean) {
  const params = { orgId: useOrgId(), agentId: useAgentId(), knowledgeId: item.id };
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (values: EditValues) =>
      laterApi.knowledge.update({
        id: params.agentId,
        knowledgeId: item.id,
        organizationId: params.orgId,
        ...changesOf(item, before, values),
        seen: seenOf(item),
      }),
    onSuccess: async () => {
      toast.success({ title: t('ui.saved') });
      await queryClient.invalidateQueries({ queryKey: ['knowledge', params.agentId] });
      await navigate({ to: '/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId', params });
    },
    onError: (error) => onRefused(error) || announceFailure(error),
    meta: { failure: 'updateKnowledge', quiet: true },
  });
}

function seenOf({ description, text, links, site, schedule }: Knowledge) {
  return { description, text, links, site, schedule };
}

/** Only what was changed: anything sent is read anew. */
function changesOf(item: Knowledge, before: EditValues, values: EditValues) {
  const { hasText, hasLinks } = partsOf(item);
  const isChanged = (...names: (keyof EditValues & string)[]) =>
    names.some((name) => values[name] !== before[name]);
  const isSiteChanged = isChanged('mode', 'include', 'exclude', 'maxPages', 'maxDepth');
  return {
    ...(isChanged('description') && { description: values.description.trim() }),
    ...(hasText && isChanged('text') && { text: values.text }),
    ...(hasLinks && isChanged('links') && { links: readLinks(values.links) ?? [] }),
    ...(item.type === 'website' && isSiteChanged && { site: settingsOf(values.mode, values) }),
    ...(hasLinks && isChanged('schedule') && { schedule: values.schedule }),
  };
}

type Labels = ReturnType<typeof labelsOf>;

function labelsOf(item: Knowledge) {
  const { isDescriptionText } = partsOf(item);
  const isPair = item.type === 'qa';
  const description = isPair ? 'knowledge.question' : isDescriptionText ? 'knowledge.text' : 'knowledge.name';
  return {
    description: t(description),
    text: t(isPair ? 'knowledge.answer' : 'knowledge.text'),
    links: t('knowledge.addresses'),
    mode: t('knowledge.whichPages'),
    include: t('knowledge.include'),
    exclude: t('knowledge.exclude'),
    maxPages: t('knowledge.maxPages'),
    maxDepth: t('knowledge.maxDepth'),
    schedule: t('knowledge.readsAgain'),
  };
}

function checkEdit(item: Knowledge, values: EditValues, labels: Labels): Record<string, string> {
  const { hasText, hasLinks } = partsOf(item);
  const { description, text } = values;
  return {
    ...checkTexts({ description }, { description: labels.description }),
    ...(hasText && checkTexts({ text }, { text: labels.text })),
    ...(hasLinks && !readLinks(values.links)?.length && { links: t('knowledge.linksWrong') }),
    ...(item.type === 'website' && checkSite(values.mode, values)),
  };
}
