import { type ReactNode, useState } from 'react'
import { getSettings, saveSiteSettings } from '#contract/desk-settings.ts'
import { checkSetting, type Fact, type ServerInfo, serverInfoFields, type WeekEntry } from '#contract/settings.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { DeskField, FieldRows, type ShownFields } from '../../kit/fields.tsx'
import { Loaded } from '../../kit/screen.tsx'
import { withValues } from '../../kit/settings-form.tsx'
import styles from './site.module.css'

/** Rates, limits, times and rules, as shown on the Server Information page. */
export function ServerInfoForm() {
  const rows = useCall(getSettings, {})
  return (
    <Loaded of={rows} height={640}>
      {({ rows }) => {
        const row = rows.find(({ name }) => name === 'server_info')
        return row === undefined ? null : (
          <Sheet key={row.version} info={row.value as ServerInfo} version={row.version} />
        )
      }}
    </Loaded>
  )
}

const EMPTY_FACT: Fact = { name: '', value: '', note: '' }
const { fact, week, chat, rules, help } = serverInfoFields

function Sheet({ info, version }: { info: ServerInfo; version: number }) {
  return (
    <DeskForm
      endpoint={withValues<ServerInfo>(saveSiteSettings)}
      title="Server information"
      savesChanges
      fields={{ intro: { kind: 'text', label: 'First sentence' } }}
      values={info}
      check={(values) => {
        const root = checkSetting('server_info', values)
        return root === null ? {} : { root }
      }}
      input={(value) => ({ changes: [{ name: 'server_info' as const, version, value }] })}
      show={({ values, change }) => [
        <p key="what">
          The contents of the <Link to="/serverinfo">Server Information</Link> page. Players see changes within seconds.
        </p>,
        'intro',
        <Rows
          key="rates"
          title="Rates"
          fields={fact}
          rows={values.rates ?? []}
          empty={EMPTY_FACT}
          onChange={(rates) => change({ rates })}
        />,
        <Rows
          key="numbers"
          title="Numbers"
          fields={fact}
          rows={values.numbers ?? []}
          empty={EMPTY_FACT}
          onChange={(numbers) => change({ numbers })}
        />,
        <Rows
          key="week"
          title="The week"
          fields={week}
          rows={values.week ?? []}
          empty={{ ...EMPTY_FACT, color: 'red', spans: [] }}
          onChange={(rows) => change({ week: rows })}
          more={(row, set) => <Spans spans={row.spans} onChange={(spans) => set({ spans })} />}
        />,
        <Rows
          key="month"
          title="The month"
          fields={fact}
          rows={[values.month ?? EMPTY_FACT]}
          onChange={([month]) => change({ month: month ?? EMPTY_FACT })}
        />,
        <Rows
          key="chat"
          title="Chat"
          fields={chat}
          rows={values.chat ?? []}
          empty={{ name: '', value: '' }}
          onChange={(rows) => change({ chat: rows })}
        />,
        <Rows
          key="rules"
          title="Fair play"
          fields={rules}
          rows={values.rules ?? []}
          empty={{ title: '', text: '' }}
          onChange={(rows) => change({ rules: rows })}
        />,
        <Rows
          key="help"
          title="Help"
          fields={help}
          rows={values.help ?? []}
          empty={{ name: '', text: '', to: '/', label: '' }}
          onChange={(rows) => change({ help: rows })}
        />,
      ]}
    />
  )
}

type RowsProps<Row, Name extends keyof Row & string> = {
  title: string
  fields: ShownFields<Name>
  rows: readonly Row[]
  /** A new row. Without it rows can only be changed. */
  empty?: Row
  onChange: (rows: Row[]) => void
  /** What a row has besides its fields. */
  more?: (row: Row, change: (part: Partial<Row>) => void) => ReactNode
}

/** A list of facts, each a row of fields. */
function Rows<Row, Name extends keyof Row & string>(props: RowsProps<Row, Name>) {
  const { title, fields, rows, empty, onChange, more } = props
  return (
    <fieldset className={styles.rows}>
      <legend>{title}</legend>
      <FieldRows<Row, Name>
        fields={fields}
        rows={rows}
        onChange={onChange}
        nameOf={empty && ((_, nth) => `row ${nth + 1} of ${title}`)}
        more={more}
        className={styles.row}
      />
      {empty !== undefined && (
        <Button tone="secondary" onClick={() => onChange([...rows, empty])}>
          Add a row<span className="visually-hidden"> to {title}</span>
        </Button>
      )}
    </fieldset>
  )
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

type Span = WeekEntry['spans'][number]

const writeHour = (hour: number) => `${Math.floor(hour)}:${String(Math.round((hour % 1) * 60)).padStart(2, '0')}`

/** The hours of the week as text, such as 'Tue 5:00-6:30, Sat 21:00-22:00'. */
const writeSpans = (spans: readonly Span[]): string =>
  spans.map(({ day, from, to }) => `${DAYS[day]} ${writeHour(from)}-${writeHour(to)}`).join(', ')

/** The hours that a text names; null for a text that cannot be read. */
function readSpans(text: string): Span[] | null {
  const spans = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const found = /^(\p{L}{3})\p{L}* +(\d{1,2})(?::(\d\d))? *[-–] *(\d{1,2})(?::(\d\d))?$/u.exec(part)
      if (found === null) return null
      const [, name = '', fromHour, fromMinute = '0', toHour, toMinute = '0'] = found
      const day = DAYS.findIndex((one) => one.toLowerCase() === name.toLowerCase())
      const from = Number(fromHour) + Number(fromMinute) / 60
      const to = Number(toHour) + Number(toMinute) / 60
      return day < 0 || from >= to || to > 24 ? null : { day, from, to }
    })
  return spans.includes(null) ? null : (spans as Span[])
}

type SpansProps = { spans: WeekEntry['spans']; onChange: (spans: WeekEntry['spans']) => void }

/** The hours of an entry as text: 'Tue 5:00-6:30, Sat 21:00-22:00'. */
function Spans({ spans, onChange }: SpansProps) {
  const [text, setText] = useState(() => writeSpans(spans))
  const [error, setError] = useState<string | undefined>()
  return (
    <DeskField
      field={{ kind: 'text', label: 'Hours', hint: 'Tue 5:00-6:30, Sat 21:00-24:00' }}
      value={text}
      error={error}
      onChange={(typed: string) => {
        setText(typed)
        const read = readSpans(typed)
        setError(read === null ? 'Enter days and hours such as Tue 5:00-6:30.' : undefined)
        if (read !== null) onChange(read)
      }}
    />
  )
}
