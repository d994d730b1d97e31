import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount } from '#contract/numbers.ts'
import { getStreamers, mintVouchers } from '#contract/vouchers.ts'
import { useCall } from '#web/api/queries.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { TextField } from '#web/ui/field.tsx'
import { DeskForm, type DeskFormParts } from '../../kit/desk-form.tsx'
import looks from '../../kit/looks.module.css'
import { RecordPage } from '../../kit/screen.tsx'
import { ShownOnce } from '../../kit/shown-once.tsx'

type Made = CallOutput<typeof mintVouchers>

/** Creates a campaign, then shows its codes once. */
export function Screen() {
  const navigate = useNavigate()
  const [made, setMade] = useState<Made | null>(null)
  return (
    <RecordPage back={{ to: '/admin/vouchers', label: 'Vouchers' }} title="New campaign">
      <CampaignForm onMade={setMade} />
      {made !== null && (
        <ShownOnce
          title={`The codes of ${made.name}`}
          secrets={made.codes}
          fileName={`${made.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.txt`}
          onClose={() => void navigate(`/admin/vouchers/${made.campaign}`)}
        />
      )}
    </RecordPage>
  )
}

function CampaignForm({ onMade }: { onMade: (made: Made) => void }) {
  return (
    <DeskForm
      endpoint={mintVouchers}
      values={{
        name: '',
        count: '',
        r_coin: '0',
        milleage: '0',
        expires: '',
        per_account: '',
        in_total: '',
        streamer: '',
      }}
      submit="Create the codes"
      onDone={onMade}
    >
      {({ field, watch }) => (
        <>
          <FormGrid>
            <TextField label="Name" hint="Only staff see it" autoComplete="off" {...field('name')} />
            <TextField label="How many codes" {...number} {...field('count')} />
            <TextField label="R-Coin each" {...number} {...field('r_coin')} />
            <TextField label="Milleage each" {...number} {...field('milleage')} />
            <TermFields field={field} />
          </FormGrid>
          <p className={looks.hint}>
            You can’t redeem codes that you make, change or approve, nor those of a streamer whose referral code you
            made.
          </p>
          <Worth count={watch('count')} rCoin={watch('r_coin')} milleage={watch('milleage')} />
        </>
      )}
    </DeskForm>
  )
}

type TermName = 'expires' | 'streamer' | 'per_account' | 'in_total'

const number = { inputMode: 'numeric', autoComplete: 'off' } as const

/** Until when, for whom and how often: what can be changed later too. */
export function TermFields({
  field,
}: {
  field: (name: TermName) => Omit<ReturnType<DeskFormParts<typeof mintVouchers>['field']>, 'name'> & { name: string }
}) {
  const streamers = useCall(getStreamers, {})
  return (
    <>
      <TextField label="Last day" hint="Until midnight in Manila; empty for no end" type="date" {...field('expires')} />
      <SelectField label="Streamer" {...field('streamer')}>
        <option value="">None</option>
        {(streamers.data?.rows ?? []).map(({ code, streamer }) => (
          <option key={code} value={code}>
            {streamer} ({code})
          </option>
        ))}
      </SelectField>
      <TextField label="Codes per account" hint="Empty for any number" {...number} {...field('per_account')} />
      <TextField label="Codes in total" hint="Empty for all of them" {...number} {...field('in_total')} />
    </>
  )
}

type Typed = string | number | undefined

/** What all codes are worth together, which is what counts against the limit. */
function Worth({ count, rCoin, milleage }: { count: Typed; rCoin: Typed; milleage: Typed }) {
  const [all, ...each] = [count, rCoin, milleage].map((typed) => Number(typed ?? 0))
  const sum = (all ?? 0) * each.reduce((whole, one) => whole + one, 0)
  return (
    <p className={looks.hint} aria-live="polite">
      {sum > 0 && `All together they are worth ${formatCount(sum)}. `}
      The codes are shown only once, right after they are created, so save them then. Above your 24-hour limit, a
      colleague has to approve first; you then make the codes on the Approvals screen.
    </p>
  )
}
