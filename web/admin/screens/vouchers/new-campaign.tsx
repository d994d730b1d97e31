import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallOutput, FormValues } from '#contract/endpoint.ts'
import { formatCount } from '#contract/numbers.ts'
import { campaignFields, getStreamers, mintVouchers } from '#contract/vouchers.ts'
import { useCall } from '#web/api/queries.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { RecordPage } from '../../kit/screen.tsx'
import { SecretsDialog } from '../../kit/secrets-dialog.tsx'

type CreatedCampaign = CallOutput<typeof mintVouchers>

/** Creates a campaign, then shows its codes once. */
export function Screen() {
  const navigate = useNavigate()
  const [createdCampaign, setCreatedCampaign] = useState<CreatedCampaign | null>(null)
  return (
    <RecordPage back={{ to: '/admin/vouchers', label: 'Vouchers' }} title="New campaign">
      <CampaignForm onCreated={setCreatedCampaign} />
      {createdCampaign !== null && (
        <SecretsDialog
          title={`The codes of ${createdCampaign.name}`}
          secrets={createdCampaign.codes}
          fileName={`${createdCampaign.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.txt`}
          onClose={() => void navigate(`/admin/vouchers/${createdCampaign.campaign}`)}
        />
      )}
    </RecordPage>
  )
}

function CampaignForm({ onCreated }: { onCreated: (createdCampaign: CreatedCampaign) => void }) {
  const streamers = useStreamerOptions()
  return (
    <DeskForm
      endpoint={mintVouchers}
      fields={campaignFields}
      fieldAdditions={streamers}
      values={{ r_coin: '0', milleage: '0' }}
      submitLabel="Create the codes"
      successMessage={null}
      onDone={onCreated}
      show={({ values }) => [
        ['name', 'count', 'r_coin', 'milleage', 'expires', 'streamer', 'per_account', 'in_total'],
        <p key="hint" className={deskLayout.hint}>
          You can’t redeem codes that you make, change or approve, nor those of a streamer whose referral code you made.
        </p>,
        <CampaignWorth key="worth" {...values} />,
      ]}
    />
  )
}

/** Loads the streamers as options of a field. */
export function useStreamerOptions() {
  const streamers = useCall(getStreamers, {})
  const options = (streamers.data?.rows ?? []).map(({ code, streamer }) => [code, `${streamer} (${code})`] as const)
  return { streamer: { options } }
}

/** Shows the worth of all codes together, which counts against the operator's limit. */
function CampaignWorth({ count, r_coin, milleage }: Partial<FormValues<typeof mintVouchers>>) {
  const sum = Number(count) * (Number(r_coin) + Number(milleage))
  return (
    <p className={deskLayout.hint} aria-live="polite">
      {sum > 0 && `All codes together are worth ${formatCount(sum)}. `}
      The codes are shown only once, right after they are created, so save them then. Above your 24-hour limit, a
      colleague has to approve first; you then make the codes on the Approvals screen.
    </p>
  )
}
