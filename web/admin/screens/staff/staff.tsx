import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { getRoles, getStaff, inviteStaff, takeRole } from '#contract/desk-staff.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { PERMISSIONS } from '#contract/permissions.ts'
import { useCall } from '#web/api/queries.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import looks from '../../kit/looks.module.css'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay, useMe } from '../../me.ts'
import styles from './staff.module.css'

type Member = CallOutput<typeof getStaff>['rows'][number]
type Taking = { member: Member; role: Member['roles'][number] }

/** Who works at the desk, and what each role may do. */
export function Screen() {
  const staff = useCall(getStaff, {})
  const roles = useCall(getRoles, {})
  const may = useMay()
  const mayChange = may('staff.write')
  const [query, setQuery] = useSearchParams()
  const [taking, setTaking] = useState<Taking | null>(null)
  const isInviting = mayChange && query.has('invite')
  return (
    <>
      <ScreenHead
        title="Staff"
        line="Who can open this desk, and what each role allows. Give every volunteer an account of their own."
        actions={mayChange && !isInviting && <Button onClick={() => setQuery({ invite: '1' })}>Invite someone</Button>}
      />
      <div className={layout.panels}>
        {isInviting && <Invitation roles={roles.data?.rows ?? []} onClose={() => setQuery({}, { replace: true })} />}
        <Panel title="People">
          <Loaded of={staff} height={200}>
            {({ rows }) => (
              <ul className={styles.people}>
                {rows.map((member) => (
                  <MemberRow key={member.user_num} member={member} mayChange={mayChange} onTake={setTaking} />
                ))}
              </ul>
            )}
          </Loaded>
        </Panel>
        <Panel
          title="Roles"
          actions={
            mayChange && (
              <Link to="/admin/staff/roles/new" className={styles.quiet}>
                Create a role
              </Link>
            )
          }
        >
          <Loaded of={roles} height={320}>
            {({ rows }) => (
              <ul className={styles.roles}>
                {rows.map(({ role, name, permissions, built_in, members }) => (
                  <li key={role}>
                    <h3>
                      {built_in ? name : <Link to={`/admin/staff/roles/${role}`}>{name}</Link>}
                      <span>{members === 1 ? '1 person' : `${members} people`}</span>
                    </h3>
                    <p>
                      {permissions.length === Object.keys(PERMISSIONS).length
                        ? 'Everything'
                        : permissions.map((permission) => PERMISSIONS[permission]).join(' · ')}
                    </p>
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        </Panel>
      </div>
      <TakeDialog taking={taking} onClose={() => setTaking(null)} />
    </>
  )
}

type MemberRowProps = { member: Member; mayChange: boolean; onTake: (taking: Taking) => void }

function MemberRow({ member, mayChange, onTake }: MemberRowProps) {
  const me = useMe()
  return (
    <li>
      <div className={styles.who}>
        <PlayerLink userNum={member.user_num} userId={member.user_id} />
        {member.user_num === me.user_num && <StateBadge tone="off">you</StateBadge>}
        <span>{member.name}</span>
      </div>
      <ul className={styles.held}>
        {member.roles.map((role) => (
          <li key={role.role}>
            <StateBadge>{role.name}</StateBadge>
            {mayChange && (
              <button type="button" className={styles.take} onClick={() => onTake({ member, role })}>
                Remove
                <span className="visually-hidden">
                  {' '}
                  the role {role.name} from {member.user_id}
                </span>
              </button>
            )}
          </li>
        ))}
      </ul>
      <p className={styles.state}>
        {member.blocked && <StateBadge tone="bad">Blocked</StateBadge>}
        {member.has_factor ? (
          <StateBadge tone="good">Second factor on</StateBadge>
        ) : (
          <StateBadge tone="next">No second factor</StateBadge>
        )}
        <span>
          Last seen <When at={member.last_seen_at} />
        </span>
      </p>
    </li>
  )
}

type InvitationProps = { roles: CallOutput<typeof getRoles>['rows']; onClose: () => void }

function Invitation({ roles, onClose }: InvitationProps) {
  return (
    <DeskForm
      endpoint={inviteStaff}
      submit="Invite"
      done="Invited. They can open the desk now."
      onDone={onClose}
      onWaiting={onClose}
      onCancel={onClose}
    >
      {({ field }) => (
        <>
          <p className={looks.hint}>
            The person needs an account on the site. They set up a second factor when they first open the desk. The
            Owner and Shop roles need another owner’s approval.
          </p>
          <FormGrid>
            <TextField
              label="User ID"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...field('user_id')}
            />
            <SelectField label="Role" {...field('role')}>
              <option value="">Choose a role</option>
              {roles.map(({ role, name }) => (
                <option key={role} value={role}>
                  {name}
                </option>
              ))}
            </SelectField>
          </FormGrid>
        </>
      )}
    </DeskForm>
  )
}

function TakeDialog({ taking, onClose }: { taking: Taking | null; onClose: () => void }) {
  const [last, setLast] = useState(taking)
  if (taking !== null && taking !== last) setLast(taking)
  if (last === null) return null
  const { member, role } = last
  const isLast = member.roles.length === 1
  return (
    <ConfirmDialog
      open={taking !== null}
      onClose={onClose}
      title={`Remove the role ${role.name} from ${member.user_id}?`}
      action="Remove it"
      tone="danger"
      reason="required"
      endpoint={takeRole}
      input={(reason) => ({ user_num: member.user_num, role: role.role, reason })}
      done={({ message }) => message}
    >
      <p>
        {isLast
          ? 'It is their last role: they are logged out everywhere and become a player again. Their account, money and characters stay.'
          : 'They keep their other roles.'}
      </p>
    </ConfirmDialog>
  )
}
