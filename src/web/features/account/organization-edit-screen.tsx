import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { organization as calls, type Organization } from '../../../contract/organization.ts';
import { api } from '../../api/api.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';
import { PhotoField } from '../../forms/photo-field.tsx';
import { organizationQuery } from '../../queries/queries.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';

export function OrganizationEditScreen() {
  const title = t('account.organizationEdit');
  return (
    <Permitted permission="organization.manage" title={title}>
      <PageHeader title={title} lead={t('account.organizationEditLead')} />
      <Editor />
    </Permitted>
  );
}

function Editor() {
  const organization = useQuery(organizationQuery(useOrgId()));
  return (
    <QueryView {...viewOf(organization)} shape="form">
      {(found) => <EditForm organization={found} />}
    </QueryView>
  );
}

const schema = calls.create.input;

function EditForm({ organization: { id, name, profilePhoto } }: { organization: Organization }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useValidForm({ initial: { name }, schema, labels: { name: t('account.name') } });
  const reread = () => queryClient.invalidateQueries({ queryKey: ['organizations'] });
  const save = useMutation({
    mutationFn: (values: { name: string }) => api.organization.updateProfile({ id, ...values }),
    onSuccess: async () => {
      toast.success({ title: t('ui.saved') });
      await reread();
      await navigate({ to: '/platform/{-$orgId}/account/organization', params: { orgId: id } });
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'updateOrganization', quiet: true },
  });
  const upload = async (media: File) => {
    await api.organization.uploadPhoto({ id, media });
    await reread();
  };
  return (
    <Card kind="form">
      <UnsavedGuard changed={form.isDirty() && !save.isPending && !save.isSuccess} />
      <Stack>
        <PhotoField name={name} photo={profilePhoto} failure="updateOrganization" onUpload={upload} />
        <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
          <Stack>
            <TextInput
              label={t('account.name')}
              autoComplete="organization"
              {...form.getInputProps('name')}
            />
            <div>
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                {t('ui.save')}
              </Button>
            </div>
          </Stack>
        </form>
      </Stack>
    </Card>
  );
}
