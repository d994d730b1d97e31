import { useState } from 'react'
import { useParams } from 'react-router'
import { getCampaign, getRedemptions, revokeVouchers } from '#contract/desk-vouchers.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { Fact, Facts, PlayerLink, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { type Campaign, CampaignState, codeWords, Value } from './campaigns.tsx'
import styles from './vouchers.module.css'

/** One campaign, and who redeemed its codes. */
export function Screen() {
  const { campaign = '' } = useParams()
  const found = useCall(getCampaign, { campaign })
  return <Loaded of={found}>{(value) => <CampaignPage key={campaign} campaign={value} />}</Loaded>
}

type Redemption = RowOf<typeof getRedemptions>

const columns: Column<Redemption>[] = [
  { key: 'code', title: 'Code', cell: ({ code }) => <span className={styles.code}>{code}</span> },
  { key: 'player', title: 'Player', cell: (row) => <PlayerLink userNum={row.user_num} userId={row.user_id} /> },
  { key: 'redeemed_at', title: 'Redeemed', cell: ({ redeemed_at }) => <When at={redeemed_at} show="both" /> },
  { key: 'referral_code', title: 'With referral code', cell: ({ referral_code }) => referral_code ?? '—' },
]

function CampaignPage({ campaign }: { campaign: Campaign }) {
  const may = useMay()
  const [isRevoking, setRevoking] = useState(false)
  const unused = campaign.codes - campaign.redeemed - campaign.revoked
  return (
    <RecordPage
      back={{ to: '/admin/vouchers', label: 'Vouchers' }}
      title={campaign.name}
      badges={<CampaignState state={campaign.state} />}
      actions={
        may('vouchers.revoke') &&
        unused > 0 && (
          <Button tone="danger" onClick={() => setRevoking(true)}>
            Revoke unused codes…
          </Button>
        )
      }
      facts={
        <Facts>
          <Fact name="Each code">
            <Value {...campaign} />
          </Fact>
          <Fact name="Codes">{campaign.codes.toLocaleString('en-US')}</Fact>
          <Fact name="Redeemed">{campaign.redeemed.toLocaleString('en-US')}</Fact>
          <Fact name="Can still be redeemed">{campaign.left.toLocaleString('en-US')}</Fact>
          {campaign.revoked > 0 && <Fact name="Revoked">{campaign.revoked.toLocaleString('en-US')}</Fact>}
          <Fact name="Given out so far">
            <Value r_coin={campaign.r_coin * campaign.redeemed} milleage={campaign.milleage * campaign.redeemed} />
            {campaign.redeemed === 0 && 'nothing'}
          </Fact>
          <Fact name="Ends">
            {campaign.expires_at === null ? 'never' : <When at={campaign.expires_at} show="both" />}
          </Fact>
          <Fact name="Codes per account">{campaign.per_account ?? 'any number'}</Fact>
          <Fact name="Codes in total">{campaign.in_total ?? 'all of them'}</Fact>
          <Fact name="Streamer">
            {campaign.streamer === null ? '—' : `${campaign.streamer_name} (${campaign.streamer})`}
          </Fact>
          <Fact name="Made">
            <When at={campaign.created_at} show="both" /> {campaign.made_by !== null && `by ${campaign.made_by}`}
          </Fact>
        </Facts>
      }
    >
      <List
        endpoint={getRedemptions}
        label="Redeemed codes"
        columns={columns}
        fixed={{ campaign: String(campaign.campaign) }}
        idOf={({ code }) => code}
        empty={{
          title: 'Nobody has redeemed one yet',
          line: 'Redeemed codes are listed here, with who redeemed them.',
        }}
      />
      <ConfirmDialog
        open={isRevoking}
        onClose={() => setRevoking(false)}
        title={`Revoke ${codeWords(unused)}?`}
        action={`Revoke ${codeWords(unused)}`}
        tone="danger"
        reason="required"
        endpoint={revokeVouchers}
        input={(reason) => ({ campaign: campaign.campaign, reason })}
        done={({ message }) => message}
      >
        <p>
          Nobody can redeem them any more, and this cannot be undone. The {codeWords(campaign.redeemed)} that players
          have redeemed stay as they are.
        </p>
      </ConfirmDialog>
    </RecordPage>
  )
}
