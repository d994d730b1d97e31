import { useParams, useSearchParams } from 'react-router'
import { BOARDS } from '#contract/game.ts'
import { formatMonth } from '#contract/manila.ts'
import {
  correctEntry,
  correctionFields,
  getCorrections,
  getMonth,
  putBackEntry,
  takeOutEntry,
} from '#contract/rankings.ts'
import { useCall } from '#web/api/queries.ts'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { deskCall } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink } from '../../kit/facts.tsx'
import type { RowOf } from '../../kit/list.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { Timeline } from '../../kit/timeline.tsx'
import { EntryState } from './month.tsx'
import styles from './rankings.module.css'

type Entry = RowOf<typeof getMonth>

/** Shows a character's entry in a closed month. */
export function Screen() {
  const { period = '', character = '' } = useParams()
  const [query] = useSearchParams()
  const board = BOARDS.find((name) => name === query.get('board')) ?? 'resu'
  const month = useCall(getMonth, { period, board })
  return (
    <Loaded result={month} height={560}>
      {({ rows }) => {
        const entry = rows.find(({ cha_num }) => String(cha_num) === character)
        const back = { to: `/admin/rankings/${period}?board=${board}`, label: formatMonth(period) }
        if (entry === undefined) return <OtherBoard back={back} period={period} character={character} board={board} />
        return <EntryPage key={entry.version} entry={entry} back={back} />
      }}
    </Loaded>
  )
}

type OtherBoardProps = { back: { to: string; label: string }; period: string; character: string; board: string }

/** Shown when the character is not on the link's board, or not on the default board if the link names none. */
function OtherBoard({ back, period, character, board }: OtherBoardProps) {
  return (
    <RecordPage back={back} title={`Character ${character}`}>
      <p>
        This character is not on this board. Open another one:{' '}
        {BOARDS.filter((otherBoard) => otherBoard !== board).map((otherBoard) => (
          <a
            key={otherBoard}
            className={styles.board}
            href={`/admin/rankings/${period}/${character}?board=${otherBoard}`}
          >
            {otherBoard}
          </a>
        ))}
      </p>
    </RecordPage>
  )
}

function EntryPage({ entry, back }: { entry: Entry; back: OtherBoardProps['back'] }) {
  const { period, cha_num, cha_name, version, place, closed_place, taken_out_at, user_num, user_id } = entry
  const [query] = useSearchParams()
  const isTakenOut = taken_out_at !== null
  const fetchLatest = async () => {
    const board = BOARDS.find((name) => name === query.get('board')) ?? 'resu'
    const { rows } = await deskCall(getMonth, { period, board })
    return rows.find((row) => row.cha_num === cha_num) ?? entry
  }
  return (
    <RecordPage
      back={back}
      title={cha_name}
      badges={<EntryState entry={entry} />}
      actions={
        isTakenOut ? (
          <DeskAction
            endpoint={putBackEntry}
            input={{ period, cha_num, version }}
            label="Put it back"
            confirmation={{
              title: `Put ${cha_name} back?`,
              text: `Players see it again in ${formatMonth(period)}, at the rank of its figures.`,
              reason: 'required',
            }}
          />
        ) : (
          <DeskAction
            endpoint={takeOutEntry}
            input={{ period, cha_num, version }}
            label="Take it out"
            tone="danger"
            confirmation={{
              title: `Take ${cha_name} out?`,
              text: `It disappears from every board of ${formatMonth(period)}, and the characters behind it move up. You can put it back at any time. To hide it everywhere, hide the character instead.`,
              reason: 'required',
            }}
          />
        )
      }
      facts={{
        Month: formatMonth(period),
        'Place shown to players': place ?? 'None',
        'Place when it closed': closed_place,
        Player: user_num !== null && <PlayerLink userNum={user_num} userId={user_id} />,
      }}
    >
      <DeskForm
        endpoint={correctEntry}
        fields={correctionFields}
        values={entry}
        fetchLatest={fetchLatest}
        submitLabel="Save the correction"
        successMessage="Corrected. The old values are stored."
        show={[['cha_name', 'cha_level', 'kills', 'deaths', 'resu', 'mmr', 'money'], 'reason']}
      />
      <History period={period} character={cha_num} />
    </RecordPage>
  )
}

function History({ period, character }: { period: string; character: number }) {
  const corrections = useCall(getCorrections, { period, character: String(character) })
  return (
    <Loaded result={corrections} height={80}>
      {({ rows }) =>
        rows.length > 0 && (
          <Panel title="Corrections">
            <div className={deskLayout.inset16}>
              <Timeline
                label="Corrections"
                entries={rows.map(({ correction, at, by, kind, changes, reason }) => ({
                  key: correction,
                  at,
                  actor: by ?? 'An operator',
                  event: kind === 'corrected' ? 'corrected it' : kind === 'taken out' ? 'took it out' : 'put it back',
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
