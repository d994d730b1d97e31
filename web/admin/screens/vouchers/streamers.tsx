import { useSearchParams } from 'react-router'
import { formatCount } from '#contract/numbers.ts'
import { getStreamers, saveStreamer, streamerFields } from '#contract/vouchers.ts'
import { Button } from '#web/ui/button.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './vouchers.module.css'

type Streamer = RowOf<typeof getStreamers>

const columns: Column<Streamer>[] = [
  { key: 'streamer', title: 'Streamer' },
  { key: 'code', title: 'Referral code', cell: ({ code }) => <span className={styles.code}>{code}</span>, card: 'end' },
  {
    key: 'redeemed',
    title: 'Redeemed with code',
    kind: 'count',
  },
  { key: 'r_coin', title: 'R-Coin', kind: 'money' },
  { key: 'milleage', title: 'Milleage', kind: 'money' },
  {
    key: 'given',
    title: 'Campaign codes redeemed',
    align: 'end',
    cell: ({ given, given_redeemed }) =>
      given === 0 ? '—' : `${formatCount(given_redeemed)} of ${formatCount(given)}`,
  },
  { key: 'created_at', title: 'Since', kind: 'when' },
]

/** Lists redemptions by streamer, and adds streamers. */
export function Screen() {
  const may = useMay()
  const [query, setQuery] = useSearchParams()
  const isAdding = may('vouchers.mint') && query.has('add')
  const close = () => setQuery({}, { replace: true })
  return (
    <RecordPage
      back={{ to: '/admin/vouchers', label: 'Vouchers' }}
      title="Streamers"
      actions={
        may('vouchers.mint') && !isAdding && <Button onClick={() => setQuery({ add: '1' })}>Add a streamer</Button>
      }
    >
      {isAdding && (
        <DeskForm
          endpoint={saveStreamer}
          fields={streamerFields}
          successMessage="Saved."
          onDone={close}
          onCancel={close}
          show={[
            <p key="hint" className={deskLayout.hint}>
              Viewers type the referral code when they redeem a voucher. If the code exists already, its streamer is
              renamed. You can’t redeem vouchers with a referral code that you saved.
            </p>,
            ['streamer', 'code'],
          ]}
        />
      )}
      <List
        endpoint={getStreamers}
        label="Streamers"
        columns={columns}
        getId={({ code }) => code}
        getLink={({ code }) => `/admin/vouchers?streamer=${code}`}
        empty={{ title: 'No streamers yet', line: 'Add one to count what viewers redeem with their referral code.' }}
      />
    </RecordPage>
  )
}
