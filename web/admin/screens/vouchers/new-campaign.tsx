import { useState } from 'react'
import { getApprovals, runApproval } from '#contract/desk-staff.ts'
import { getStreamers, mintVouchers } from '#contract/desk-vouchers.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { useCall } from '#web/api/queries.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { showToast } from '#web/ui/toast.ts'
import { useAction } from '../../kit/call.ts'
import { DeskForm, useLeaveGuard } from '../../kit/desk-form.tsx'
import { saveFile } from '../../kit/list.tsx'
import { RecordPage } from '../../kit/screen.tsx'
import { useMe } from '../../me.ts'
import { codeWords } from './campaigns.tsx'
import styles from './vouchers.module.css'

type Made = Pick<CallOutput<typeof mintVouchers>, 'campaign' | 'name' | 'codes'>

const back = { to: '/admin/vouchers', label: 'Vouchers' }

/** Makes a campaign, and then shows its codes, this once. */
export function Screen() {
  const [made, setMade] = useState<Made | null>(null)
  if (made !== null) return <Codes made={made} />
  return (
    <RecordPage back={back} title="A new campaign">
      <Approved onMade={setMade} />
      <CampaignForm onMade={setMade} />
    </RecordPage>
  )
}

type OnMade = { onMade: (made: Made) => void }

function CampaignForm({ onMade }: OnMade) {
  const streamers = useCall(getStreamers, {})
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const
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
      submit="Make the codes"
      onDone={onMade}
    >
      {({ field, watch }) => (
        <>
          <FormGrid>
            <TextField label="Name" hint="Only staff see it" autoComplete="off" {...field('name')} />
            <TextField label="How many codes" {...number} {...field('count')} />
            <TextField label="R-Coin each" {...number} {...field('r_coin')} />
            <TextField label="Milleage each" {...number} {...field('milleage')} />
            <TextField
              label="Last day"
              hint="To its end in Manila; empty for no end"
              type="date"
              {...field('expires')}
            />
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
          </FormGrid>
          <Worth count={watch('count')} rCoin={watch('r_coin')} milleage={watch('milleage')} />
        </>
      )}
    </DeskForm>
  )
}

type Typed = string | number | undefined

/** What all codes are worth together, which is what counts against the limit. */
function Worth({ count, rCoin, milleage }: { count: Typed; rCoin: Typed; milleage: Typed }) {
  const [all, ...each] = [count, rCoin, milleage].map((typed) => Number(typed ?? 0))
  const sum = (all ?? 0) * each.reduce((whole, one) => whole + one, 0)
  return (
    <p className={styles.note} aria-live="polite">
      {sum > 0 && `All together they are worth ${sum.toLocaleString('en-US')}. `}
      The codes are shown once, on the next page: download them there. Above your limit for 24 hours, a colleague has to
      approve first, and the codes are then made here.
    </p>
  )
}

/** Campaigns of the person's own that a colleague has approved: their codes can be made and seen now. */
function Approved({ onMade }: OnMade) {
  const me = useMe()
  const { data } = useCall(getApprovals, { state: 'approved' })
  const run = useAction(runApproval)
  const own = (data?.rows ?? []).filter(
    ({ requested_by_num, call }) => requested_by_num === me.user_num && call === `POST ${mintVouchers.path}`,
  )
  if (own.length === 0) return null
  const make = async (approval: number) => {
    const done = await run.run({ approval })
    if (done !== undefined) onMade(done.answer as Made)
  }
  return (
    <Panel title="Approved for you">
      <ul className={styles.approved}>
        {own.map(({ approval, summary }) => (
          <li key={approval}>
            <p>{summary}</p>
            <Button busy={run.busy} onClick={() => void make(approval)}>
              Make the codes
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const SHOWN = 200

function Codes({ made: { campaign, name, codes } }: { made: Made }) {
  const [isSaved, setSaved] = useState(false)
  useLeaveGuard(!isSaved)
  const text = `${codes.join('\r\n')}\r\n`
  const download = () => {
    saveFile(new Blob([text], { type: 'text/plain' }), `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.txt`)
    setSaved(true)
  }
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      setSaved(true)
      void showToast('done', 'Copied.')
    } catch {
      void showToast('error', 'Your browser did not allow it. Please download the codes instead.')
    }
  }
  return (
    <RecordPage
      back={back}
      title={name}
      actions={
        <>
          <Button onClick={download}>Download {codeWords(codes.length)}</Button>
          <Button tone="secondary" onClick={() => void copy()}>
            Copy
          </Button>
          {isSaved && (
            <ButtonLink to={`/admin/vouchers/${campaign}`} tone="secondary">
              To the campaign
            </ButtonLink>
          )}
        </>
      }
    >
      <Panel title={codeWords(codes.length)}>
        <p className={styles.once} role="status">
          <b>These codes are shown only now.</b> Nobody can look them up later, not even the site. Download them before
          you leave this page.
        </p>
        <ol className={styles.codes} aria-label="Codes">
          {codes.slice(0, SHOWN).map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        {codes.length > SHOWN && (
          <p className={styles.once}>and {(codes.length - SHOWN).toLocaleString('en-US')} more in the download.</p>
        )}
      </Panel>
    </RecordPage>
  )
}
