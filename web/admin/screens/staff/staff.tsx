import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { STAFF_NAME } from '#contract/messages.ts'
import { OWNER, PERMISSIONS, type Permission, powerfulOf } from '#contract/permissions.ts'
import { getRoles, getStaff, inviteStaff, restoreStaff, suspendStaff, takeRole } from '#contract/staff.ts'
import { useCall } from '#web/api/queries.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { showToast } from '#web/ui/toast.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import looks from '../../kit/looks.module.css'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { StaffNameForm } from '../../kit/staff-name-form.tsx'
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
  const [protecting, setProtecting] = useState<Member | null>(null)
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
                  <MemberRow
                    key={member.user_num}
                    member={member}
                    mayChange={mayChange}
                    onTake={setTaking}
                    onProtect={setProtecting}
                  />
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
                    <Allowed permissions={permissions} />
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        </Panel>
      </div>
      <TakeDialog taking={taking} onClose={() => setTaking(null)} />
      <ProtectDialog member={protecting} onClose={() => setProtecting(null)} />
    </>
  )
}

const wordsOf = (permissions: readonly Permission[]) =>
  permissions.map((permission) => PERMISSIONS[permission].text).join(' · ')

/** What a role allows, what is powerful first. */
function Allowed({ permissions }: { permissions: readonly Permission[] }) {
  if (permissions.length === Object.keys(PERMISSIONS).length) return <p>Everything</p>
  const powerful = powerfulOf(permissions)
  const plain = permissions.filter((permission) => !powerful.includes(permission))
  return (
    <>
      {powerful.length > 0 && (
        <p>
          <b>Powerful:</b> {wordsOf(powerful)}
        </p>
      )}
      {plain.length > 0 && <p>{wordsOf(plain)}</p>}
    </>
  )
}

type MemberRowProps = {
  member: Member
  mayChange: boolean
  onTake: (taking: Taking) => void
  onProtect: (member: Member) => void
}

function MemberRow({ member, mayChange, onTake, onProtect }: MemberRowProps) {
  const me = useMe()
  const mayProtect = me.roles.includes(OWNER) && member.user_num !== me.user_num
  const [isNaming, setNaming] = useState(false)
  const isMe = member.user_num === me.user_num
  const mayTake = ({ role }: Member['roles'][number]) =>
    mayChange && !isMe && (role !== OWNER || me.roles.includes(OWNER))
  return (
    <li>
      <div className={styles.who}>
        <PlayerLink userNum={member.user_num} userId={member.user_id} />
        {isMe && <StateBadge tone="off">you</StateBadge>}
        <span>{member.name}</span>
      </div>
      <ul className={styles.held}>
        {member.roles.map((role) => (
          <li key={role.role}>
            <StateBadge>{role.name}</StateBadge>
            {mayTake(role) && (
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
      <div className={styles.state}>
        {member.blocked && <StateBadge tone="bad">Blocked</StateBadge>}
        {member.suspended_at !== null && <StateBadge tone="bad">Suspended</StateBadge>}
        {member.has_factor ? (
          <StateBadge tone="good">Second factor on</StateBadge>
        ) : (
          <StateBadge tone="next">No second factor</StateBadge>
        )}
        <span>
          Last seen <When at={member.last_seen_at} />
        </span>
        {member.suspended_at !== null && (
          <span>
            Suspended <When at={member.suspended_at} /> by {member.suspended_by}
          </span>
        )}
        {mayProtect && (
          <button type="button" className={styles.take} onClick={() => onProtect(member)}>
            {member.suspended_at === null ? 'Suspend access' : 'Restore access'}
            <span className="visually-hidden"> of {member.user_id}</span>
          </button>
        )}
        <span>
          Players know them as {member.staff_name || STAFF_NAME}{' '}
          {mayChange && !isNaming && (
            <button type="button" className={styles.take} onClick={() => setNaming(true)}>
              Change<span className="visually-hidden"> the name of {member.user_id} for players</span>
            </button>
          )}
        </span>
      </div>
      {isNaming && (
        <StaffNameForm userNum={member.user_num} name={member.staff_name} onClose={() => setNaming(false)} />
      )}
    </li>
  )
}

type InvitationProps = { roles: CallOutput<typeof getRoles>['rows']; onClose: () => void }

function Invitation({ roles, onClose }: InvitationProps) {
  const me = useMe()
  const mine = roles.filter(({ role }) => role !== OWNER || me.roles.includes(OWNER))
  return (
    <DeskForm
      endpoint={inviteStaff}
      submit="Invite"
      onDone={({ member }) => {
        const when = member.has_factor ? 'now' : 'once they have a second factor'
        void showToast('done', `Invited. They can open the desk ${when}.`)
        onClose()
      }}
      onWaiting={onClose}
      onCancel={onClose}
    >
      {({ field }) => (
        <>
          <p className={looks.hint}>
            The person needs an account on the site. They set up a second factor when they first open the desk. Where
            there is another owner, they have to agree to a role with a powerful permission.
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
              {mine.map(({ role, name }) => (
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
      {role.role === OWNER && <p>An owner other than you and them has to agree to this.</p>}
      <p>
        {isLast
          ? 'It is their last role: they are logged out everywhere and become a player again. Their account, money and characters stay.'
          : 'They keep their other roles.'}
      </p>
    </ConfirmDialog>
  )
}

/** Suspends a colleague, or ends it. An owner does either alone. */
function ProtectDialog({ member, onClose }: { member: Member | null; onClose: () => void }) {
  const [last, setLast] = useState(member)
  if (member !== null && member !== last) setLast(member)
  if (last === null) return null
  const dialog = {
    open: member !== null,
    onClose,
    reason: 'required',
    reasonHint: 'for the audit log and the mail to all owners',
    input: (reason: string) => ({ user_num: last.user_num, reason }),
    done: ({ message }: { message: string }) => message,
  } as const
  if (last.suspended_at !== null)
    return (
      <ConfirmDialog
        {...dialog}
        endpoint={restoreStaff}
        title={`Let ${last.user_id} open the desk again?`}
        action="Restore access"
      >
        <p>They have the roles they had. Every owner gets a mail.</p>
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      {...dialog}
      endpoint={suspendStaff}
      title={`Suspend the access of ${last.user_id}?`}
      action="Suspend access"
      tone="danger"
    >
      <p>
        They are logged out at once and cannot open the desk until another owner restores it. They keep their roles, and
        every owner gets a mail. The same person can be suspended once in 24 hours.
      </p>
    </ConfirmDialog>
  )
}
