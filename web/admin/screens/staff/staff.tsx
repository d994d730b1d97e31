import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { STAFF_NAME } from '#contract/messages.ts'
import { formatPlural } from '#contract/numbers.ts'
import { filterSensitive, OWNER, PERMISSIONS, type Permission } from '#contract/permissions.ts'
import { getRoles, getStaff, inviteFields, inviteStaff, restoreStaff, suspendStaff, takeRole } from '#contract/staff.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { StaffNameForm } from '../../kit/staff-name-form.tsx'
import { useMay, useMe } from '../../me.ts'
import styles from './staff.module.css'

type Member = CallOutput<typeof getStaff>['rows'][number]

/** Lists the operators with their roles, and the permissions of each role. */
export function Screen() {
  const staff = useCall(getStaff, {})
  const roles = useCall(getRoles, {})
  const may = useMay()
  const mayChange = may('staff.write')
  const [query, setQuery] = useSearchParams()
  const isInviting = mayChange && query.has('invite')
  return (
    <>
      <ScreenHead
        title="Staff"
        line="The people who can open this desk, and the permissions of each role. Give every volunteer an account of their own."
        actions={mayChange && !isInviting && <Button onClick={() => setQuery({ invite: '1' })}>Invite someone</Button>}
      />
      <div className={layout.panels}>
        {isInviting && <Invitation roles={roles.data?.rows ?? []} onClose={() => setQuery({}, { replace: true })} />}
        <Panel title="People">
          <Loaded result={staff} height={200}>
            {({ rows }) => (
              <ul className={styles.people}>
                {rows.map((member) => (
                  <MemberRow key={member.user_num} member={member} mayChange={mayChange} />
                ))}
              </ul>
            )}
          </Loaded>
        </Panel>
        <Panel
          title="Roles"
          actions={
            mayChange && (
              <Link to="/admin/staff/roles/new" className={styles.quietLink}>
                Create a role
              </Link>
            )
          }
        >
          <Loaded result={roles} height={320}>
            {({ rows }) => (
              <ul className={styles.roles}>
                {rows.map(({ role, name, permissions, built_in, members }) => (
                  <li key={role}>
                    <h3>
                      {built_in ? name : <Link to={`/admin/staff/roles/${role}`}>{name}</Link>}
                      <span>{formatPlural(members, 'person', 'people')}</span>
                    </h3>
                    <PermissionList permissions={permissions} />
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        </Panel>
      </div>
    </>
  )
}

const describePermissions = (permissions: readonly Permission[]) =>
  permissions.map((permission) => PERMISSIONS[permission].text).join(' · ')

/** Lists the permissions of a role, sensitive ones first. */
function PermissionList({ permissions }: { permissions: readonly Permission[] }) {
  if (permissions.length === Object.keys(PERMISSIONS).length) return <p>Everything</p>
  const sensitivePermissions = filterSensitive(permissions)
  const otherPermissions = permissions.filter((permission) => !sensitivePermissions.includes(permission))
  return (
    <>
      {sensitivePermissions.length > 0 && (
        <p>
          <b>Sensitive:</b> {describePermissions(sensitivePermissions)}
        </p>
      )}
      {otherPermissions.length > 0 && <p>{describePermissions(otherPermissions)}</p>}
    </>
  )
}

function MemberRow({ member, mayChange }: { member: Member; mayChange: boolean }) {
  const me = useMe()
  // An offer gives no access, so until it is accepted there is nothing to suspend.
  const hasAccess = member.roles.length > 0
  const maySuspend = me.roles.includes(OWNER) && hasAccess && member.user_num !== me.user_num
  const [isNaming, setNaming] = useState(false)
  const isMe = member.user_num === me.user_num
  const mayRemove = ({ role }: Pick<Member['roles'][number], 'role'>) =>
    mayChange && !isMe && (role !== OWNER || me.roles.includes(OWNER))
  return (
    <li>
      <div className={styles.member}>
        <PlayerLink userNum={member.user_num} userId={member.user_id} />
        {isMe && <StateBadge tone="off">you</StateBadge>}
        <span>{member.name}</span>
      </div>
      <ul className={styles.memberRoles}>
        {member.roles.map((role) => (
          <li key={role.role}>
            <StateBadge>{role.name}</StateBadge>
            {mayRemove(role) && <RemoveRoleButton member={member} role={role} />}
          </li>
        ))}
        {member.offers.map((offer) => (
          <li key={offer.role}>
            <StateBadge tone="attention">{offer.name}, not accepted</StateBadge>
            {mayRemove(offer) && <RemoveRoleButton member={member} role={offer} isOffer />}
          </li>
        ))}
      </ul>
      <div className={styles.state}>
        {member.blocked && <StateBadge tone="bad">Blocked</StateBadge>}
        {member.suspended_at !== null && <StateBadge tone="bad">Suspended</StateBadge>}
        {member.has_factor ? (
          <StateBadge tone="good">Second factor on</StateBadge>
        ) : (
          <StateBadge tone="attention">No second factor</StateBadge>
        )}
        <span>
          Last seen <When at={member.last_seen_at} />
        </span>
        {member.suspended_at !== null && (
          <span>
            Suspended <When at={member.suspended_at} /> by {member.suspended_by}
          </span>
        )}
        {maySuspend && <SuspendButton member={member} />}
        <span>
          Players know them as {member.staff_name || STAFF_NAME}{' '}
          {mayChange && !isNaming && (
            <button type="button" className={styles.quietButton} onClick={() => setNaming(true)}>
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
  const offeredRoles = roles.filter(({ role }) => role !== OWNER || me.roles.includes(OWNER))
  return (
    <DeskForm
      endpoint={inviteStaff}
      fields={inviteFields}
      fieldAdditions={{ role: { options: offeredRoles.map(({ role, name }) => [role, name]) } }}
      show={[
        <p key="hint" className={deskLayout.hint}>
          The person needs an account on the site. They accept the role with their password when they open the desk, and
          set up a second factor there. If there is another owner, they have to approve a role with a sensitive
          permission.
        </p>,
        ['user_id', 'role'],
      ]}
      submitLabel="Invite"
      successMessage={({ message }) => message}
      onDone={onClose}
      onWaiting={onClose}
      onCancel={onClose}
    />
  )
}

type RemoveRoleButtonProps = { member: Member; role: Pick<Member['roles'][number], 'role' | 'name'>; isOffer?: boolean }

/** Removes a role, or the offer of one, from an account. */
function RemoveRoleButton({ member, role, isOffer = false }: RemoveRoleButtonProps) {
  const isLast = member.roles.length === 1
  return (
    <DeskAction
      endpoint={takeRole}
      input={{ user_num: member.user_num, role: role.role }}
      label={isOffer ? 'Withdraw' : 'Remove'}
      about={
        isOffer ? `the offer of ${role.name} to ${member.user_id}` : `the role ${role.name} from ${member.user_id}`
      }
      className={styles.quietButton}
      confirmation={{
        title: isOffer
          ? `Withdraw the offer of the role ${role.name} to ${member.user_id}?`
          : `Remove the role ${role.name} from ${member.user_id}?`,
        action: isOffer ? 'Withdraw it' : 'Remove it',
        tone: 'danger',
        reason: 'required',
        text: isOffer ? (
          'They can no longer accept it.'
        ) : (
          <>
            {role.role === OWNER && <p>An owner who is neither you nor {member.user_id} has to approve this.</p>}
            <p>
              {isLast
                ? 'It is their last role: they are logged out everywhere and become a player again. Their account, money and characters stay.'
                : 'They keep their other roles.'}
            </p>
          </>
        ),
      }}
    />
  )
}

/** Suspends an operator's access or restores it. Neither needs an approval. */
function SuspendButton({ member: { user_num, user_id, suspended_at } }: { member: Member }) {
  const sharedProps = { input: { user_num }, about: `of ${user_id}`, className: styles.quietButton }
  const reasonProps = { reason: 'required', reasonHint: 'for the audit log and the mail to all owners' } as const
  return suspended_at === null ? (
    <DeskAction
      {...sharedProps}
      endpoint={suspendStaff}
      label="Suspend access"
      confirmation={{
        ...reasonProps,
        title: `Suspend the access of ${user_id}?`,
        tone: 'danger',
        text: 'They are logged out at once and cannot open the desk until another owner restores it. They keep their roles, and every owner gets a mail. The same person can be suspended only once in 24 hours.',
      }}
    />
  ) : (
    <DeskAction
      {...sharedProps}
      endpoint={restoreStaff}
      label="Restore access"
      confirmation={{
        ...reasonProps,
        title: `Let ${user_id} open the desk again?`,
        text: 'They have the roles they had. Every owner gets a mail.',
      }}
    />
  )
}
