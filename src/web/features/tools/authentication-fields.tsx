import { NativeSelect, TextInput } from '@mantine/core';
import type { Tool } from '../../../contract/tool.ts';
import { t } from '../../messages/t.ts';
import { authenticationTypes, isSecretKept, keyPlaces, type ConnectionForm } from './connection-values.ts';

interface FieldsProps {
  form: ConnectionForm;
  tool: Tool;
}

/** The service's authentication: the fields for the selected type. */
export function AuthenticationFields({ form, tool }: FieldsProps) {
  const { type } = form.values;
  return (
    <>
      <NativeSelect
        label={t('tools.authentication')}
        data={authenticationTypes.map((value) => ({ value, label: t(`tools.authentication.${value}`) }))}
        {...form.getInputProps('type')}
      />
      {type === 'apiKey' && <KeyFields form={form} />}
      {type === 'basic' && (
        <TextInput autoComplete="off" label={t('tools.username')} {...form.getInputProps('username')} />
      )}
      {type === 'authorizationCode' && <AgreementFields form={form} />}
      {(type === 'oauth2' || type === 'authorizationCode') && <OAuthFields form={form} />}
      {type !== 'none' && (
        <TextInput
          type="password"
          autoComplete="new-password"
          label={t(`tools.secret.${type}`)}
          description={secretHint(tool, form)}
          {...form.getInputProps('secret')}
        />
      )}
    </>
  );
}

function secretHint(tool: Tool, { values }: ConnectionForm): string {
  if (isSecretKept(tool, values)) return t('tools.secretKept');
  return tool.hasSecret ? t('tools.secretAgain') : t('tools.secretNew');
}

function KeyFields({ form }: Pick<FieldsProps, 'form'>) {
  return (
    <>
      <NativeSelect
        label={t('tools.keyPlace')}
        data={keyPlaces.map((value) => ({ value, label: t(`tools.keyPlace.${value}`) }))}
        {...form.getInputProps('in')}
      />
      <TextInput
        spellCheck={false}
        autoComplete="off"
        label={t('tools.keyName')}
        placeholder={t('tools.keyNameExample')}
        {...form.getInputProps('name')}
      />
    </>
  );
}

/** Where people agree, and where they return to. */
function AgreementFields({ form }: Pick<FieldsProps, 'form'>) {
  return (
    <>
      <TextInput
        readOnly
        label={t('tools.redirectUrl')}
        description={t('tools.redirectUrlHint')}
        value={`${location.origin}/connected`}
        onFocus={(event) => event.target.select()}
      />
      <TextInput
        type="url"
        inputMode="url"
        spellCheck={false}
        label={t('tools.authorizationUrl')}
        placeholder="https://api.example.com/oauth/authorize"
        {...form.getInputProps('authorizationUrl')}
      />
      <TextInput
        type="url"
        inputMode="url"
        spellCheck={false}
        label={t('tools.revocationUrl')}
        description={t('tools.revocationUrlHint')}
        {...form.getInputProps('revocationUrl')}
      />
    </>
  );
}

function OAuthFields({ form }: Pick<FieldsProps, 'form'>) {
  return (
    <>
      <TextInput
        type="url"
        inputMode="url"
        spellCheck={false}
        label={t('tools.tokenUrl')}
        placeholder="https://api.example.com/oauth/token"
        {...form.getInputProps('tokenUrl')}
      />
      <TextInput
        spellCheck={false}
        autoComplete="off"
        label={t('tools.clientId')}
        {...form.getInputProps('clientId')}
      />
      <TextInput
        spellCheck={false}
        label={t('tools.scope')}
        description={t('tools.scopeHint')}
        {...form.getInputProps('scope')}
      />
    </>
  );
}
