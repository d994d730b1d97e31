import type { ReactNode } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { getGameLog } from '#contract/players-online.ts'
import { useCall } from '#web/api/queries.ts'
import { useShellData } from '#web/shell/shell-data.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { RelativeTime } from '../news/relative-time-text.tsx'
import { getCharacterPath, getClubPath } from '../rankings/rankings-view.ts'
import styles from './game-log.module.css'

const REFRESH_MS = 60_000

type GameLogAnswer = CallOutput<typeof getGameLog>

/** Lists the last club wars and kills, if the game's logs contain them (STATUS-5). */
export function GameLog() {
  const { data } = useCall(getGameLog, {}, { refetchInterval: REFRESH_MS })
  if (data === undefined) return null
  if (data.wars.length + data.kills.length === 0) return null
  return (
    <div className={styles.logs}>
      {data.wars.length > 0 && <Wars wars={data.wars} />}
      {data.kills.length > 0 && <Kills kills={data.kills} />}
    </div>
  )
}

type LogRowsProps = { title: string; rows: readonly { key: string; at: string; text: ReactNode }[] }

function LogRows({ title, rows }: LogRowsProps) {
  const renderedAt = useShellData()?.renderedAt ?? 0
  return (
    <Panel title={title}>
      <ul className={layout.rows}>
        {rows.map(({ key, at, text }) => (
          <li key={key} className={styles.row}>
            <span>{text}</span>
            <span className={styles.time}>
              <RelativeTime iso={at} renderedAt={renderedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Wars({ wars }: { wars: GameLogAnswer['wars'] }) {
  return (
    <LogRows
      title="Last club wars"
      rows={wars.map(({ at, winner, loser, area }, index) => ({
        key: `${at} ${index}`,
        at,
        text: (
          <>
            <Link to={getClubPath(winner.GuNum)}>{winner.GuName}</Link> won
            {loser !== null && (
              <>
                {' '}
                against <Link to={getClubPath(loser.GuNum)}>{loser.GuName}</Link>
              </>
            )}
            {area !== null && ` · ${area}`}
          </>
        ),
      }))}
    />
  )
}

function Kills({ kills }: { kills: GameLogAnswer['kills'] }) {
  return (
    <LogRows
      title="Last kills"
      rows={kills.map(({ at, killer, victim }, index) => ({
        key: `${at} ${index}`,
        at,
        text: (
          <>
            <Link to={getCharacterPath(killer.ChaNum)}>{killer.ChaName}</Link> killed{' '}
            <Link to={getCharacterPath(victim.ChaNum)}>{victim.ChaName}</Link>
          </>
        ),
      }))}
    />
  )
}
