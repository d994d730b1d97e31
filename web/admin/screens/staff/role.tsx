import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { ALL_PERMISSIONS, PERMISSIONS } from '#contract/permissions.ts'
import { deleteRole, getRoles, saveRole } from '#contract/staff.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import looks from '../../kit/looks.module.css'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import styles from './role.module.css'

type Role = CallOutput<typeof getRoles>['rows'][number]

/** A role of the operators' own making: its name and what it allows. */
export function Screen() {
  const { role = 'new' } = useParams()
  const roles = useCall(getRoles, {})
  return (
    <Loaded of={roles} height={480}>
      {({ rows }) => <RolePage key={role} role={rows.find((row) => row.role === role) ?? null} />}
    </Loaded>
  )
}

/** `news.write` belongs to `news`. */
const AREAS = [...new Set(ALL_PERMISSIONS.map((permission) => permission.split('.')[0] ?? ''))]

function RolePage({ role }: { role: Role | null }) {
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const goBack = () => void navigate('/admin/staff')
  const readLatest = async () => {
    const { rows } = await call(getRoles, {})
    const now = rows.find((row) => row.role === role?.role)
    return { version: now?.version ?? 1, values: { name: now?.name ?? '', permissions: now?.permissions ?? [] } }
  }
  return (
    <RecordPage back={{ to: '/admin/staff', label: 'Staff' }} title={role?.name ?? 'New role'}>
      <DeskForm
        endpoint={saveRole}
        values={{
          role: role?.role ?? '',
          name: role?.name ?? '',
          permissions: role?.permissions ?? [],
          version: role?.version ?? null,
        }}
        version={role?.version ?? null}
        input={(values, version) => ({ ...values, version })}
        latest={readLatest}
        labels={{ name: 'Name', permissions: 'What it allows' }}
        submit={role === null ? 'Create the role' : 'Save'}
        done={role === null ? 'The role has been created.' : 'Saved.'}
        onDone={goBack}
        actions={
          role !== null && (
            <Button tone="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          )
        }
      >
        {({ field }) => (
          <>
            <FormGrid>
              <TextField label="Name" {...field('name')} />
              <TextField
                label="Short name"
                hint="cannot be changed later"
                readOnly={role !== null}
                autoCapitalize="none"
                {...field('role')}
              />
            </FormGrid>
            <fieldset className={styles.permissions}>
              <legend>What it allows</legend>
              <p className={looks.hint}>
                A powerful permission moves money, reaches into accounts, decides for others or sets up the site. Where
                there is another owner, they have to agree before anybody gets one. Who may approve requests can do so a
                day later.
              </p>
              {AREAS.map((area) => (
                <div key={area}>
                  {ALL_PERMISSIONS.filter((permission) => permission.startsWith(`${area}.`)).map((permission) => (
                    <Checkbox
                      key={permission}
                      label={`${PERMISSIONS[permission].text}${PERMISSIONS[permission].isPowerful ? ' (powerful)' : ''}`}
                      value={permission}
                      {...field('permissions')}
                    />
                  ))}
                </div>
              ))}
            </fieldset>
          </>
        )}
      </DeskForm>
      {role !== null && (
        <ConfirmDialog
          open={isDeleting}
          onClose={() => setDeleting(false)}
          title={`Delete the role ${role.name}?`}
          action="Delete it"
          tone="danger"
          endpoint={deleteRole}
          input={() => ({ role: role.role })}
          done="Deleted."
          onDone={goBack}
        >
          <p>It can only be deleted while nobody has it. The audit log keeps what was done with it.</p>
        </ConfirmDialog>
      )}
    </RecordPage>
  )
}
