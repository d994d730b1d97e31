import { formatCount } from '#contract/numbers.ts'
import { getCampaigns } from '#contract/vouchers.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { toStateOptions } from '../../kit/facts.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { CAMPAIGN_STATES, type Campaign, CodeValue } from './campaigns.tsx'

const columns: Column<Campaign>[] = [
  { key: 'name', title: 'Campaign' },
  { key: 'state', title: 'State', states: CAMPAIGN_STATES, card: 'end' },
  { key: 'value', title: 'Each code', cell: (row) => <CodeValue {...row} /> },
  {
    key: 'redeemed',
    title: 'Redeemed',
    align: 'end',
    cell: ({ redeemed, codes, left, suspended }) => (
      <>
        {formatCount(redeemed)} of {formatCount(codes)}
        {left > 0 && <span className={deskLayout.muted}> · {formatCount(left)} left</span>}
        {suspended > 0 && <span className={deskLayout.muted}> · {formatCount(suspended)} suspended</span>}
      </>
    ),
  },
  { key: 'streamer_name', title: 'Streamer' },
  { key: 'expires_at', title: 'Ends', kind: 'when' },
  { key: 'created_at', title: 'Made', kind: 'when' },
]

/** Lists the voucher campaigns. */
export function Screen() {
  const may = useMay()
  return (
    <>
      <ScreenHead
        title="Vouchers"
        line="Codes that give players R-Coin or Milleage. The site can’t show a redeemable code again: each is shown once, when it is made."
        actions={
          <>
            {may('vouchers.mint') && <ButtonLink to="/admin/vouchers/new">New campaign</ButtonLink>}
            <ButtonLink to="/admin/vouchers/look-up" tone="secondary">
              Look up a code
            </ButtonLink>
            <ButtonLink to="/admin/vouchers/streamers" tone="secondary">
              Streamers
            </ButtonLink>
          </>
        }
      />
      <List
        endpoint={getCampaigns}
        label="Voucher campaigns"
        columns={columns}
        filters={{
          name: { kind: 'search', label: 'Name' },
          state: { kind: 'choice', label: 'State', options: toStateOptions(CAMPAIGN_STATES) },
          streamer: { kind: 'text', label: 'Streamer’s code' },
        }}
        getId={({ campaign }) => campaign}
        getLink={({ campaign }) => `/admin/vouchers/${campaign}`}
        empty={{
          title: 'No campaigns yet',
          line: 'Make one, download its codes and hand them to a streamer.',
          action: may('vouchers.mint') && <ButtonLink to="/admin/vouchers/new">New campaign</ButtonLink>,
        }}
      />
    </>
  )
}
