import { getServiceOrders, undoService } from '#contract/desk-services.ts'
import { findSchool } from '#contract/game.ts'
import { SERVICE_TEXTS } from '#contract/services.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, StateBadge, type Tone, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './services.module.css'

type Row = RowOf<typeof getServiceOrders>

const TONES: Record<Row['state'], Tone> = { waiting: 'attention', done: 'good', refunded: 'off', refused: 'bad' }

const columns: Column<Row>[] = [
  {
    key: 'item_name',
    title: 'Service',
    cell: (row) => (
      <span className={styles.lines}>
        <span>{row.undo_of === null ? row.item_name : `Undo: ${row.item_name}`}</span>
        {row.order !== null && (
          <Link to={`/admin/orders/${row.order}`} className={deskLayout.link}>
            order {row.order}
          </Link>
        )}
        {row.undo_of !== null && <span className={deskLayout.faint}>of service {row.undo_of}</span>}
      </span>
    ),
  },
  {
    key: 'cha_name',
    title: 'Character',
    cell: (row) => (
      <span className={styles.lines}>
        <span>{row.cha_name}</span>
        <span className={deskLayout.faint}>no. {row.cha_num}</span>
      </span>
    ),
  },
  { key: 'player', title: 'Player', cell: (row) => <PlayerLink userNum={row.user_num} userId={row.user_id} /> },
  { key: 'state', title: 'State', card: 'wide', cell: (row) => <ServiceState row={row} /> },
  { key: 'change', title: 'Before → after', card: 'wide', cell: (row) => <ServiceChange row={row} /> },
  { key: 'undo', title: '', align: 'end', card: 'end', cell: (row) => <UndoButton row={row} /> },
]

/** Shows the state of a service with its time, and the reason if it was refused. */
function ServiceState({ row }: { row: Row }) {
  const isLost = row.lost_at !== null
  return (
    <span className={styles.lines}>
      <span className={deskLayout.badges}>
        <StateBadge tone={TONES[row.state]}>{SERVICE_TEXTS.stateNames[row.state]}</StateBadge>
        {row.undone_by !== null && <StateBadge tone="off">Undone</StateBadge>}
        {isLost && <StateBadge tone="bad">Lost in a restore</StateBadge>}
      </span>
      <span className={deskLayout.faint}>
        {row.state === 'waiting' && row.online_at !== null ? (
          <>
            online since <When at={row.online_at} show="date" />
          </>
        ) : (
          <When at={row.done_at ?? row.ordered_at} />
        )}
      </span>
      {row.ordered_by !== null && <span className={deskLayout.faint}>requested by {row.ordered_by}</span>}
      {row.reason !== '' && <span>{row.reason}</span>}
      {row.detail !== '' && <span className={deskLayout.faint}>{row.detail}</span>}
      {row.again_at !== null && (
        <span className={deskLayout.faint}>
          done again <When at={row.again_at} />
        </span>
      )}
    </span>
  )
}

/** Shows the changed columns of the game, or the player's choice until the service is completed. */
function ServiceChange({ row: { service, before, after, was, choice } }: { row: Row }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changedColumns = names.filter((name) => before?.[name] !== after?.[name])
  if (changedColumns.length === 0)
    return choice === '' ? '—' : `${formatChoice(service, was)} → ${formatChoice(service, choice)}`
  return (
    <dl className={styles.change}>
      {changedColumns.map((name) => (
        <div key={name}>
          <dt>{COLUMN_NAMES[name] ?? name}</dt>
          <dd>
            {formatValue(name, before)} → {formatValue(name, after)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Labels for common columns of the game; others are shown by their names. */
const COLUMN_NAMES: Record<string, string> = { ChaName: 'Name', ChaSchool: 'School', ChaClass: 'Class code' }

const formatValue = (column: string, values: Row['before']) => {
  const value = String(values?.[column] ?? '—')
  return column === 'ChaSchool' ? formatChoice('school', value) : value
}

const formatChoice = (service: string, value: string) =>
  service === 'school' ? (findSchool(Number(value))?.name ?? value) : value

function UndoButton({ row }: { row: Row }) {
  const may = useMay()
  if (!row.can_undo || !may('services.undo')) return null
  return (
    <DeskAction
      endpoint={undoService}
      input={{ service_order: row.service_order }}
      label="Undo…"
      tone="secondary"
      confirmation={{
        title: `Undo ${row.item_name} of ${row.cha_name}?`,
        action: 'Undo it',
        text: 'The character gets its former values back as soon as it is logged out of the game. No money moves: refund the order if the player should get the money back.',
        reason: 'required',
      }}
    />
  )
}

/** Lists orders of services for characters with their changes, and undoes them. */
export function Screen() {
  const may = useMay()
  return (
    <>
      <ScreenHead
        title="Services"
        line="The services that players bought for their characters, and their changes in the game. The shop sells services as items."
        actions={may('items.write') && <ButtonLink to="/admin/items/new">Add a service</ButtonLink>}
      />
      <List
        endpoint={getServiceOrders}
        label="Services"
        columns={columns}
        filters={{
          player: { kind: 'search', label: 'Player: user ID or number' },
          character: { kind: 'text', label: 'Character: name or number' },
          state: { kind: 'choice', label: 'State', options: SERVICE_TEXTS.stateNames },
          order: { kind: 'text', label: 'Order' },
        }}
        getId={({ service_order }) => service_order}
        empty={{ title: 'No services yet', line: 'Services that players buy for their characters are listed here.' }}
      />
    </>
  )
}
