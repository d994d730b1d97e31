import { useState } from 'react'
import { useParams } from 'react-router'
import { manilaDay } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { changeCampaign, getCampaign, getRedemptions, revokeVouchers } from '#contract/vouchers.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { Fact, Facts, PlayerLink, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import looks from '../../kit/looks.module.css'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { type Campaign, CampaignState, codeWords, Value } from './campaigns.tsx'
import { TermFields } from './new-campaign.tsx'
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
  const [isChanging, setChanging] = useState(false)
  const unused = campaign.codes - campaign.redeemed - campaign.revoked
  return (
    <RecordPage
      back={{ to: '/admin/vouchers', label: 'Vouchers' }}
      title={campaign.name}
      badges={<CampaignState state={campaign.state} />}
      actions={
        <>
          {may('vouchers.mint') && !isChanging && (
            <Button tone="secondary" onClick={() => setChanging(true)}>
              Change
            </Button>
          )}
          {may('vouchers.revoke') && unused > 0 && (
            <Button tone="danger" onClick={() => setRevoking(true)}>
              Revoke unused codes…
            </Button>
          )}
        </>
      }
      facts={
        <Facts>
          <Fact name="Each code">
            <Value {...campaign} />
          </Fact>
          <Fact name="Codes">{formatCount(campaign.codes)}</Fact>
          <Fact name="Redeemed">{formatCount(campaign.redeemed)}</Fact>
          <Fact name="Can still be redeemed">{formatCount(campaign.left)}</Fact>
          {campaign.revoked > 0 && <Fact name="Revoked">{formatCount(campaign.revoked)}</Fact>}
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
      {isChanging && <ChangeForm campaign={campaign} onClose={() => setChanging(false)} />}
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

const valuesOf = (campaign: Campaign) => ({
  name: campaign.name,
  expires: campaign.expires_at === null ? '' : manilaDay(Date.parse(campaign.expires_at)),
  streamer: campaign.streamer ?? '',
  per_account: campaign.per_account ?? '',
  in_total: campaign.in_total ?? '',
  version: campaign.version,
})

function ChangeForm({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { campaign: number } = campaign
  return (
    <DeskForm
      endpoint={changeCampaign}
      values={valuesOf(campaign)}
      version={campaign.version}
      input={(values, version) => ({ ...values, campaign: String(number), version: version ?? 0 })}
      latest={async () => {
        const now = await call(getCampaign, { campaign: String(number) })
        return { version: now.version, values: valuesOf(now) }
      }}
      labels={{
        name: 'Name',
        expires: 'Last day',
        streamer: 'Streamer',
        per_account: 'Codes per account',
        in_total: 'Codes in total',
      }}
      done="Saved."
      onDone={onClose}
      onWaiting={onClose}
      onCancel={onClose}
    >
      {({ field }) => (
        <>
          <p className={looks.hint}>
            The codes and what each is worth stay as they are. Codes that this change makes redeemable again count
            against your limit for 24 hours.
          </p>
          <FormGrid>
            <TextField label="Name" hint="Only staff see it" autoComplete="off" autoFocus {...field('name')} />
            <TermFields field={field} />
          </FormGrid>
        </>
      )}
    </DeskForm>
  )
}
