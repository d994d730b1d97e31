import { getSharers } from '#contract/players.ts'
import { useCall } from '#web/api/queries.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import { Loaded } from '../../kit/screen.tsx'
import { Rows } from './rows.tsx'

/**
 * Lists other accounts on the same addresses and devices. Families and cafés share addresses, so this alone is no
 * proof.
 */
export function Sharers({ userNum }: { userNum: number }) {
  const sharers = useCall(getSharers, { user_num: String(userNum) })
  return (
    <Loaded result={sharers} height={200}>
      {({ rows }) => (
        <Rows
          title="On the same addresses and devices, in the last 90 days"
          empty={{
            title: 'No other account',
            line: 'No other account has logged in from this player’s addresses or devices.',
          }}
          rows={rows.map((row) => (
            <li key={`${row.place} ${row.name} ${row.user_num}`}>
              <PlayerLink userNum={row.user_num} userId={row.user_id} />{' '}
              {row.is_blocked && <StateBadge tone="bad">Blocked</StateBadge>}{' '}
              <span className={deskLayout.faint}>
                {row.place === 'device' ? `the same device (${row.name})` : row.name} · that account{' '}
                <When at={row.seen_at} />, this player <When at={row.own_seen_at} />
              </span>
            </li>
          ))}
        />
      )}
    </Loaded>
  )
}
