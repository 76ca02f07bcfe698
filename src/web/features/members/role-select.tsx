import { NativeSelect } from '@mantine/core';
import { givenRoles } from '../../../contract/member.ts';
import { t } from '../../messages/t.ts';

export type GivenRole = (typeof givenRoles)[number];

interface RoleSelectProps {
  value: GivenRole;
  onChange: (role: GivenRole) => void;
}

/** A role with its permissions. */
export function RoleSelect({ value, onChange }: RoleSelectProps) {
  return (
    <NativeSelect
      label={t('members.role')}
      description={t(`account.roleText.${value}`)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as GivenRole)}
      data={givenRoles.map((role) => ({ value: role, label: t(`account.role.${role}`) }))}
    />
  );
}
