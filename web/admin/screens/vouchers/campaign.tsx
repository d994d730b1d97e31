import { useState } from 'react'
import { useParams } from 'react-router'
import { formatDays } from '#contract/durations.ts'
import { IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import {
  campaignChangeFields,
  changeCampaign,
  getCampaign,
  getRedemptions,
  restoreVouchers,
  revokeVouchers,
} from '#contract/vouchers.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, State, StateBadge, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { CAMPAIGN_STATES, type Campaign, CodeValue } from './campaigns.tsx'
import { useStreamerOptions } from './new-campaign.tsx'
import styles from './vouchers.module.css'

/** Shows one campaign and the redemptions of its codes. */
export function Screen() {
  const { campaign = '' } = useParams()
  const campaignQuery = useCall(getCampaign, { campaign })
  return <Loaded result={campaignQuery}>{(value) => <CampaignPage key={campaign} campaign={value} />}</Loaded>
}

type Redemption = RowOf<typeof getRedemptions>

const columns: Column<Redemption>[] = [
  { key: 'code', title: 'Code', cell: ({ code }) => <span className={styles.code}>{code}</span> },
  { key: 'player', title: 'Player', cell: (row) => <PlayerLink userNum={row.user_num} userId={row.user_id} /> },
  { key: 'redeemed_at', title: 'Redeemed', cell: ({ redeemed_at }) => <When at={redeemed_at} show="both" /> },
  { key: 'referral_code', title: 'With referral code' },
]

function CampaignPage({ campaign }: { campaign: Campaign }) {
  const may = useMay()
  const [isChanging, setChanging] = useState(false)
  const unusedCount = campaign.codes - campaign.redeemed - campaign.revoked
  return (
    <RecordPage
      back={{ to: '/admin/vouchers', label: 'Vouchers' }}
      title={campaign.name}
      badges={
        campaign.suspended > 0 ? (
          <StateBadge tone="attention">Suspended</StateBadge>
        ) : (
          <State states={CAMPAIGN_STATES} state={campaign.state} />
        )
      }
      actions={
        <>
          {may('vouchers.mint') && !isChanging && (
            <Button tone="secondary" onClick={() => setChanging(true)}>
              Change
            </Button>
          )}
          {may('vouchers.revoke') && unusedCount > 0 && (
            <DeskAction
              endpoint={revokeVouchers}
              input={{ campaign: campaign.campaign }}
              label="Revoke unused codes…"
              tone="danger"
              confirmation={{
                title: `Revoke ${formatPlural(unusedCount, 'code')}?`,
                action: `Revoke ${formatPlural(unusedCount, 'code')}`,
                text: `Players can no longer redeem them. You can restore them for ${formatDays(IRREVERSIBLE_AFTER_MS)}; then they are revoked permanently. Codes that players have redeemed (${formatCount(campaign.redeemed)}) stay as they are.`,
                reason: 'required',
              }}
            />
          )}
          {may('vouchers.revoke') && campaign.suspended > 0 && (
            <DeskAction
              endpoint={restoreVouchers}
              input={{ campaign: campaign.campaign }}
              label={`Restore ${formatPlural(campaign.suspended, 'code')}`}
              confirmation={{
                title: `Restore ${formatPlural(campaign.suspended, 'code')}?`,
                text: 'Players can redeem them again. The end of the codes moves by the time for which they were suspended.',
                reason: 'required',
              }}
            />
          )}
        </>
      }
      facts={{
        'Each code': <CodeValue {...campaign} />,
        Codes: formatCount(campaign.codes),
        Redeemed: formatCount(campaign.redeemed),
        'Can still be redeemed': formatCount(campaign.left),
        Suspended: campaign.suspended > 0 && (
          <>
            {formatCount(campaign.suspended)}, revoked permanently from{' '}
            <When at={campaign.suspended_until} show="both" />
          </>
        ),
        Revoked: campaign.revoked > campaign.suspended && formatCount(campaign.revoked - campaign.suspended),
        'Paid to players so far': (
          <>
            <CodeValue r_coin={campaign.r_coin * campaign.redeemed} milleage={campaign.milleage * campaign.redeemed} />
            {campaign.redeemed === 0 && 'nothing'}
          </>
        ),
        Ends: campaign.expires_at === null ? 'never' : <When at={campaign.expires_at} show="both" />,
        'Codes per account': campaign.per_account ?? 'any number',
        'Codes in total': campaign.in_total ?? 'all of them',
        Streamer: campaign.streamer === null ? '—' : `${campaign.streamer_name} (${campaign.streamer})`,
        Made: (
          <>
            <When at={campaign.created_at} show="both" /> {campaign.made_by !== null && `by ${campaign.made_by}`}
          </>
        ),
      }}
    >
      {isChanging && <CampaignChangeForm campaign={campaign} onClose={() => setChanging(false)} />}
      <List
        endpoint={getRedemptions}
        label="Redeemed codes"
        columns={columns}
        fixedInput={{ campaign: String(campaign.campaign) }}
        getId={({ code }) => code}
        empty={{
          title: 'No code has been redeemed yet',
          line: 'Redeemed codes are listed here, with who redeemed them.',
        }}
      />
    </RecordPage>
  )
}

const toValues = (campaign: Campaign) => ({
  ...campaign,
  expires: campaign.expires_at === null ? '' : toManilaDay(Date.parse(campaign.expires_at)),
  streamer: campaign.streamer ?? '',
})

function CampaignChangeForm({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const number = String(campaign.campaign)
  const streamers = useStreamerOptions()
  return (
    <DeskForm
      endpoint={changeCampaign}
      fields={campaignChangeFields}
      fieldAdditions={streamers}
      values={toValues(campaign)}
      input={(values) => ({ ...values, campaign: number })}
      fetchLatest={async () => toValues(await call(getCampaign, { campaign: number }))}
      successMessage="Saved."
      onDone={onClose}
      onWaiting={onClose}
      onCancel={onClose}
      show={[
        <p key="hint" className={deskLayout.hint}>
          The codes and their worth stay as they are. Codes that this change makes redeemable again count against your
          limit for 24 hours.
        </p>,
        ['name', 'expires', 'streamer', 'per_account', 'in_total'],
      ]}
    />
  )
}
