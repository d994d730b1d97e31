import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { getPlayerTimeline } from '#contract/players.ts'
import { useCall } from '#web/api/queries.ts'
import { describeDevice, describeEvent } from '#web/ui/account-text.ts'
import { Button } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink } from '../../kit/facts.tsx'
import { DeskField } from '../../kit/fields.tsx'
import { Loaded } from '../../kit/screen.tsx'
import { Timeline } from '../../kit/timeline.tsx'
import styles from './player.module.css'

type Entry = CallOutput<typeof getPlayerTimeline>['rows'][number]

const KINDS = {
  account: 'Account',
  purchase: 'Purchases',
  voucher: 'Vouchers',
  ticket: 'Tickets',
  staff: 'Staff',
} as const
type Kind = '' | keyof typeof KINDS

/** Shows a player's whole history, with a button to load more. */
export function PlayerTimeline({ userNum }: { userNum: number }) {
  const [query, setQuery] = useSearchParams()
  const requestedKind = query.get('kind') ?? ''
  const kind: Kind = requestedKind in KINDS ? (requestedKind as Kind) : ''
  const [shownPages, setShownPages] = useState<{ kind: string; pages: string[] }>({ kind, pages: [''] })
  const pages = shownPages.kind === kind ? shownPages.pages : ['']
  return (
    <div className={layout.panels}>
      <div className={styles.choice}>
        <DeskField
          field={{ kind: 'choice', label: 'Show', none: 'Everything', options: KINDS }}
          value={kind}
          onChange={(chosenKind: string) => setQuery(chosenKind === '' ? {} : { kind: chosenKind })}
        />
      </div>
      {pages.map((after, index) => (
        <TimelinePage
          key={after}
          input={{ user_num: String(userNum), kind, after }}
          isLast={index === pages.length - 1}
          onMore={(next) => setShownPages({ kind, pages: [...pages, next] })}
        />
      ))}
    </div>
  )
}

type PageProps = {
  input: { user_num: string; kind: Kind; after: string }
  isLast: boolean
  onMore: (next: string) => void
}

function TimelinePage({ input, isLast, onMore }: PageProps) {
  const page = useCall(getPlayerTimeline, input)
  return (
    <Loaded result={page} height={480}>
      {({ rows, next }) =>
        rows.length === 0 ? (
          <EmptyState title="Nothing yet" line="Logins, purchases, tickets and changes are listed here." />
        ) : (
          <>
            <Timeline
              label="What happened"
              entries={rows.map((row) => ({
                key: row.id,
                at: row.at,
                kind: row.kind === 'staff' ? ('staff' as const) : ('player' as const),
                ...(row.kind === 'staff' && { actor: <Actor row={row} /> }),
                event: <EntryText row={row} userNum={input.user_num} />,
                ...(row.kind === 'staff' && { reason: row.note }),
              }))}
            />
            {isLast && next !== null && (
              <Button tone="secondary" onClick={() => onMore(next)}>
                Show earlier
              </Button>
            )}
          </>
        )
      }
    </Loaded>
  )
}

function Actor({ row }: { row: Entry }) {
  return row.actor_num === null ? row.actor : <PlayerLink userNum={row.actor_num} userId={row.actor} />
}

function EntryText({ row, userNum }: { row: Entry; userNum: string }): ReactNode {
  if (row.kind === 'account')
    return (
      <>
        {describeEvent(row.what)}
        {row.note !== '' && `: ${row.note}`}{' '}
        <span className={deskLayout.faint}>
          {[describeEntryDevice(row), row.address].filter((text) => text !== '').join(' · ')}
        </span>
      </>
    )
  if (row.kind === 'purchase')
    return (
      <>
        Bought <Link to={`/admin/orders/${userNum}-${row.link}`}>{row.what}</Link>{' '}
        <span className={deskLayout.faint}>
          <CurrencyText>{row.note}</CurrencyText>
        </span>
      </>
    )
  if (row.kind === 'voucher')
    return (
      <>
        Redeemed {row.what}{' '}
        <span className={deskLayout.faint}>
          <CurrencyText>{row.note}</CurrencyText>
        </span>
      </>
    )
  if (row.kind === 'ticket')
    return (
      <>
        Wrote <Link to={`/admin/tickets/${row.link}`}>{row.what}</Link>{' '}
        <span className={deskLayout.faint}>
          <CurrencyText>{row.note}</CurrencyText>
        </span>
      </>
    )
  return `· ${row.what}`
}

const describeEntryDevice = ({ device }: Entry) =>
  device === '' || device === 'Support' ? device : describeDevice(device)
