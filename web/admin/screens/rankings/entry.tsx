import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { BOARDS } from '#contract/game.ts'
import { monthName } from '#contract/manila.ts'
import { correctEntry, getCorrections, getMonth, putBackEntry, takeOutEntry } from '#contract/rankings.ts'
import { useCall } from '#web/api/queries.ts'
import { TextArea } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { deskCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { Fact, Facts, PlayerLink } from '../../kit/facts.tsx'
import type { RowOf } from '../../kit/list.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { Timeline } from '../../kit/timeline.tsx'
import { EntryState } from './month.tsx'
import styles from './rankings.module.css'

type Entry = RowOf<typeof getMonth>

/** What a closed month says about a character. */
export function Screen() {
  const { period = '', character = '' } = useParams()
  const [query] = useSearchParams()
  const board = BOARDS.find((name) => name === query.get('board')) ?? 'resu'
  const month = useCall(getMonth, { period, board })
  return (
    <Loaded of={month} height={560}>
      {({ rows }) => {
        const entry = rows.find(({ cha_num }) => String(cha_num) === character)
        const back = { to: `/admin/rankings/${period}?board=${board}`, label: monthName(period) }
        if (entry === undefined) return <OtherBoard back={back} period={period} character={character} board={board} />
        return <EntryPage key={entry.version} entry={entry} back={back} />
      }}
    </Loaded>
  )
}

type OtherProps = { back: { to: string; label: string }; period: string; character: string; board: string }

/** A link without a board: the character is on one of the others. */
function OtherBoard({ back, period, character, board }: OtherProps) {
  return (
    <RecordPage back={back} title={`Character ${character}`}>
      <p>
        It is not on this board. Look at{' '}
        {BOARDS.filter((one) => one !== board).map((one) => (
          <a key={one} className={styles.board} href={`/admin/rankings/${period}/${character}?board=${one}`}>
            {one}
          </a>
        ))}
      </p>
    </RecordPage>
  )
}

const FIELDS = [
  ['cha_level', 'Level'],
  ['kills', 'Kills'],
  ['deaths', 'Deaths'],
  ['resu', 'Resu'],
  ['mmr', 'MMR'],
  ['money', 'Money'],
] as const

const valuesOf = ({ cha_name, cha_level, kills, deaths, mmr, resu, money }: Entry) => ({
  cha_name,
  cha_level: String(cha_level),
  kills: String(kills),
  deaths: String(deaths),
  mmr: String(mmr),
  resu: String(resu),
  money: String(money),
})

function EntryPage({ entry, back }: { entry: Entry; back: OtherProps['back'] }) {
  const { period, cha_num, cha_name, version, place, closed_place, taken_out_at, user_num, user_id } = entry
  const [isAsking, setAsking] = useState(false)
  const [query] = useSearchParams()
  const isOut = taken_out_at !== null
  const readLatest = async () => {
    const board = BOARDS.find((name) => name === query.get('board')) ?? 'resu'
    const { rows } = await deskCall(getMonth, { period, board })
    const now = rows.find((row) => row.cha_num === cha_num) ?? entry
    return { version: now.version, values: valuesOf(now) }
  }
  const shared = {
    open: isAsking,
    onClose: () => setAsking(false),
    reason: 'required',
    input: (reason: string) => ({ period, cha_num, version, reason }),
    done: ({ message }: { message: string }) => message,
  } as const
  return (
    <RecordPage
      back={back}
      title={cha_name}
      badges={<EntryState entry={entry} />}
      actions={
        <Button tone={isOut ? 'primary' : 'danger'} onClick={() => setAsking(true)}>
          {isOut ? 'Put it back' : 'Take it out'}
        </Button>
      }
      facts={
        <Facts>
          <Fact name="Month">{monthName(period)}</Fact>
          <Fact name="Place shown to players">{place ?? 'None'}</Fact>
          <Fact name="Place when it closed">{closed_place}</Fact>
          {user_num !== null && (
            <Fact name="Player">
              <PlayerLink userNum={user_num} userId={user_id} />
            </Fact>
          )}
        </Facts>
      }
    >
      <DeskForm
        endpoint={correctEntry}
        values={{ ...valuesOf(entry), period, cha_num, version, reason: '' }}
        version={version}
        input={(values, seen) => ({ ...values, period, cha_num, version: seen ?? version })}
        latest={readLatest}
        labels={{ cha_name: 'Name', ...Object.fromEntries(FIELDS) }}
        submit="Save the correction"
        done="Corrected. The old values are kept."
      >
        {({ field, watch }) => (
          <>
            <FormGrid>
              <TextField label="Name" autoComplete="off" {...field('cha_name')} />
              {FIELDS.map(([name, label]) => (
                <TextField key={name} label={label} inputMode="numeric" autoComplete="off" {...field(name)} />
              ))}
            </FormGrid>
            <TextArea label="Reason" typed={(watch('reason') ?? '').length} limit={300} rows={2} {...field('reason')} />
          </>
        )}
      </DeskForm>
      <History period={period} character={cha_num} />
      {isOut ? (
        <ConfirmDialog {...shared} title={`Put ${cha_name} back?`} action="Put it back" endpoint={putBackEntry}>
          <p>Players see it again in {monthName(period)}, where its figures put it.</p>
        </ConfirmDialog>
      ) : (
        <ConfirmDialog
          {...shared}
          title={`Take ${cha_name} out?`}
          action="Take it out"
          tone="danger"
          endpoint={takeOutEntry}
        >
          <p>
            It disappears from every board of {monthName(period)}, and those behind it move up. You can put it back at
            any time. To hide it everywhere, hide the character instead.
          </p>
        </ConfirmDialog>
      )}
    </RecordPage>
  )
}

function History({ period, character }: { period: string; character: number }) {
  const corrections = useCall(getCorrections, { period, character: String(character) })
  return (
    <Loaded of={corrections} height={80}>
      {({ rows }) =>
        rows.length > 0 && (
          <Panel title="What was changed">
            <div className={styles.history}>
              <Timeline
                label="What was changed"
                entries={rows.map(({ correction, at, by, kind, changes, reason }) => ({
                  key: correction,
                  at,
                  who: by ?? 'Somebody',
                  what: kind === 'corrected' ? 'corrected it' : kind === 'taken out' ? 'took it out' : 'put it back',
                  changes,
                  reason,
                }))}
              />
            </div>
          </Panel>
        )
      }
    </Loaded>
  )
}
