import { useNavigate, useParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { ALL_PERMISSIONS, PERMISSIONS, type Permission } from '#contract/permissions.ts'
import { deleteRole, getRoles, roleFields, saveRole } from '#contract/staff.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm, type DeskFormState } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import styles from './role.module.css'

type Role = CallOutput<typeof getRoles>['rows'][number]

/** Edits a custom role: its name and its permissions. */
export function Screen() {
  const { role = 'new' } = useParams()
  const roles = useCall(getRoles, {})
  return (
    <Loaded result={roles} height={480}>
      {({ rows }) => <RolePage key={role} role={rows.find((row) => row.role === role) ?? null} />}
    </Loaded>
  )
}

/** The areas of permissions: `news.write` belongs to `news`. */
const AREAS = [...new Set(ALL_PERMISSIONS.map((permission) => permission.split('.')[0] ?? ''))]

function RolePage({ role }: { role: Role | null }) {
  const navigate = useNavigate()
  const goBack = () => void navigate('/admin/staff')
  const fetchLatest = async () => {
    const { rows } = await call(getRoles, {})
    return rows.find((row) => row.role === role?.role) ?? {}
  }
  return (
    <RecordPage back={{ to: '/admin/staff', label: 'Staff' }} title={role?.name ?? 'New role'}>
      <DeskForm
        endpoint={saveRole}
        fields={roleFields}
        fieldAdditions={{ role: { readOnly: role !== null } }}
        values={role ?? { version: null, permissions: [] }}
        fetchLatest={fetchLatest}
        submitLabel={role === null ? 'Create the role' : 'Save'}
        successMessage={role === null ? 'The role has been created.' : 'Saved.'}
        onDone={goBack}
        actions={
          role !== null && (
            <DeskAction
              endpoint={deleteRole}
              input={{ role: role.role }}
              label="Delete"
              tone="danger"
              confirmation={{
                title: `Delete the role ${role.name}?`,
                action: 'Delete it',
                text: 'It can only be deleted while no operator has it. The audit log still shows its use.',
              }}
              successMessage="Deleted."
              onDone={goBack}
            />
          )
        }
        show={(form) => [['name', 'role'], <Permissions key="permissions" form={form} />]}
      />
    </RecordPage>
  )
}

function Permissions({ form }: { form: DeskFormState<typeof saveRole> }) {
  const { permissions: chosenPermissions = [] } = form.values
  const togglePermission = (permission: Permission, isOn: boolean) =>
    form.change({
      permissions: isOn
        ? [...chosenPermissions, permission]
        : chosenPermissions.filter((other) => other !== permission),
    })
  return (
    <fieldset className={styles.permissions}>
      <legend>{roleFields.permissions.label}</legend>
      <p className={deskLayout.hint}>
        A sensitive permission moves money, reaches into accounts, decides for others or sets up the site. If there is
        another owner, they have to approve before an operator gets one. The permission to approve requests works a day
        later.
      </p>
      {AREAS.map((area) => (
        <div key={area}>
          {ALL_PERMISSIONS.filter((permission) => permission.startsWith(`${area}.`)).map((permission) => (
            <Checkbox
              key={permission}
              label={`${PERMISSIONS[permission].text}${PERMISSIONS[permission].isSensitive ? ' (sensitive)' : ''}`}
              error={form.getError('permissions')}
              checked={chosenPermissions.includes(permission)}
              onChange={({ currentTarget }) => togglePermission(permission, currentTarget.checked)}
            />
          ))}
        </div>
      ))}
    </fieldset>
  )
}
