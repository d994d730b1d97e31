import { useState } from 'react'
import { formatDays } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import { codeFields, lookUpVoucher, restoreVoucher, revokeVoucher } from '#contract/vouchers.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { Facts, PlayerLink, StateBadge, type Tone, When } from '../../kit/facts.tsx'
import { RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { CodeValue } from './campaigns.tsx'
import styles from './vouchers.module.css'

type CodeState = CallOutput<typeof lookUpVoucher> & { code: string }

/** The state of a revoked code that can still be restored. */
const SUSPENDED = {
  label: 'Suspended',
  tone: 'attention',
  line: 'Staff revoked it. You can still restore it.',
} as const

const STATES: Record<CodeState['state'], { label: string; tone: Tone; line: string }> = {
  unknown: {
    label: 'Unknown',
    tone: 'bad',
    line: 'No voucher has this code. Compare it with the player’s, letter by letter.',
  },
  good: { label: 'Valid', tone: 'good', line: 'It has not been redeemed yet.' },
  redeemed: { label: 'Redeemed', tone: 'off', line: 'It has already been redeemed.' },
  revoked: { label: 'Revoked', tone: 'bad', line: 'Staff revoked it before it was redeemed.' },
  expired: { label: 'Expired', tone: 'off', line: 'It was not redeemed in time.' },
  used_up: { label: 'Campaign used up', tone: 'off', line: 'Its campaign has reached its limit of redeemed codes.' },
}

/** Looks up the state of a voucher code. */
export function Screen() {
  const [codeState, setCodeState] = useState<CodeState | null>(null)
  return (
    <RecordPage back={{ to: '/admin/vouchers', label: 'Vouchers' }} title="Look up a code">
      <DeskForm
        endpoint={lookUpVoucher}
        fields={codeFields}
        show={['code']}
        submitLabel="Look it up"
        onDone={(answer, { code }) => setCodeState({ ...answer, code })}
      />
      {codeState !== null && (
        <CodePanel
          codeState={codeState}
          onRevoked={() =>
            setCodeState({
              ...codeState,
              state: 'revoked',
              suspended_until: new Date(Date.now() + IRREVERSIBLE_AFTER_MS).toISOString(),
            })
          }
          onRestored={() => setCodeState({ ...codeState, state: 'good', suspended_until: null })}
        />
      )}
    </RecordPage>
  )
}

type CodePanelProps = { codeState: CodeState; onRevoked: () => void; onRestored: () => void }

function CodePanel({ codeState, onRevoked, onRestored }: CodePanelProps) {
  const may = useMay()
  const isSuspended = codeState.suspended_until !== null
  const { label, tone, line } = isSuspended ? SUSPENDED : STATES[codeState.state]
  const { campaign, redeemed } = codeState
  return (
    <Panel title={codeState.code.toUpperCase()}>
      <div className={styles.result} role="status">
        <p>
          <StateBadge tone={tone}>{label}</StateBadge> {line}
        </p>
        {campaign !== null && (
          <Facts
            facts={{
              Campaign: (
                <Link to={`/admin/vouchers/${campaign.campaign}`} className={styles.ref}>
                  {campaign.name}
                </Link>
              ),
              Worth: <CodeValue {...campaign} />,
              'Redeemed by': redeemed && <PlayerLink userNum={redeemed.user_num} userId={redeemed.user_id} />,
              Redeemed: redeemed && <When at={redeemed.at} show="both" />,
              'With referral code': redeemed?.referral_code,
              'Revoked permanently': codeState.suspended_until !== null && (
                <When at={codeState.suspended_until} show="both" />
              ),
            }}
          />
        )}
        {codeState.state === 'good' && may('vouchers.revoke') && (
          <DeskAction
            endpoint={revokeVoucher}
            input={{ code: codeState.code }}
            label="Revoke this code…"
            tone="danger"
            confirmation={{
              title: 'Revoke this code?',
              action: 'Revoke the code',
              text: `Players can no longer redeem it. You can restore it for ${formatDays(IRREVERSIBLE_AFTER_MS)}; then it is revoked permanently.`,
              reason: 'required',
            }}
            onDone={onRevoked}
          />
        )}
        {isSuspended && may('vouchers.revoke') && (
          <DeskAction
            endpoint={restoreVoucher}
            input={{ code: codeState.code }}
            label="Restore this code"
            confirmation={{
              title: 'Restore this code?',
              text: 'Players can redeem it again. The code ends later, by the time for which it was suspended.',
              reason: 'required',
            }}
            onDone={onRestored}
          />
        )}
      </div>
    </Panel>
  )
}
