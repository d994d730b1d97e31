import { type FormEvent, useState } from 'react'
import { getSettings, saveSiteSettings } from '#contract/desk-settings.ts'
import { checkSetting, type Fact, type ServerInfo, type WeekEntry } from '#contract/settings.ts'
import { useCall } from '#web/api/queries.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { useAction } from '../../kit/call.ts'
import { useLeaveGuard } from '../../kit/desk-form.tsx'
import { Loaded } from '../../kit/screen.tsx'
import { SettingsSheet } from '../../kit/settings-form.tsx'
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
const FACT_FIELDS = [
  ['name', 'Name'],
  ['value', 'Value'],
  ['note', 'Explanation'],
] as const

function Sheet({ info, version }: { info: ServerInfo; version: number }) {
  const [typed, setTyped] = useState(info)
  const [failure, setFailure] = useState<string | null>(null)
  const isChanged = typed !== info
  useLeaveGuard(isChanged)
  const { run, busy } = useAction(saveSiteSettings, { done: ({ message }) => message })
  const set = (values: Partial<ServerInfo>) => setTyped({ ...typed, ...values })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = checkSetting('server_info', typed)
    setFailure(wrong)
    if (wrong === null) void run({ changes: [{ name: 'server_info', version, value: typed }] })
  }
  return (
    <SettingsSheet
      title="Server information"
      failure={failure}
      onSubmit={submit}
      actions={
        <>
          <Button type="submit" tone="paper" busy={busy} disabled={!isChanged}>
            Save
          </Button>
          {isChanged && (
            <Button tone="secondary" onClick={() => setTyped(info)}>
              Reset
            </Button>
          )}
        </>
      }
    >
      <p>
        The contents of the <Link to="/serverinfo">Server Information</Link> page. Players see changes within seconds.
      </p>
      <TextField
        label="First sentence"
        value={typed.intro}
        onChange={({ currentTarget }) => set({ intro: currentTarget.value })}
      />
      <Rows
        title="Rates"
        fields={FACT_FIELDS}
        rows={typed.rates}
        empty={EMPTY_FACT}
        onChange={(rates) => set({ rates })}
      />
      <Rows
        title="Numbers"
        fields={FACT_FIELDS}
        rows={typed.numbers}
        empty={EMPTY_FACT}
        onChange={(numbers) => set({ numbers })}
      />
      <Week rows={typed.week} onChange={(week) => set({ week })} />
      <Rows
        title="The month"
        fields={FACT_FIELDS}
        rows={[typed.month]}
        onChange={([month]) => month && set({ month })}
      />
      <Rows
        title="Chat"
        fields={[
          ['name', 'Channel'],
          ['value', 'What it costs'],
        ]}
        rows={typed.chat}
        empty={{ name: '', value: '' }}
        onChange={(chat) => set({ chat })}
      />
      <Rows
        title="Fair play"
        fields={[
          ['title', 'Rule'],
          ['text', 'What it means'],
        ]}
        rows={typed.rules}
        empty={{ title: '', text: '' }}
        onChange={(rules) => set({ rules })}
      />
      <Rows
        title="Help"
        fields={[
          ['name', 'About'],
          ['text', 'Text'],
          ['to', 'Link'],
          ['label', 'Link text'],
        ]}
        rows={typed.help}
        empty={{ name: '', text: '', to: '/', label: '' }}
        onChange={(help) => set({ help })}
      />
    </SettingsSheet>
  )
}

type RowsProps<Row> = {
  title: string
  fields: readonly (readonly [keyof Row & string, string])[]
  rows: readonly Row[]
  /** A new row. Without it rows can only be changed. */
  empty?: Row
  onChange: (rows: Row[]) => void
}

/** A list of facts, each a row of fields. */
function Rows<Row extends Record<string, unknown>>({ title, fields, rows, empty, onChange }: RowsProps<Row>) {
  return (
    <fieldset className={styles.rows}>
      <legend>{title}</legend>
      {rows.map((row, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and are not reordered
        <div key={nth} className={styles.row}>
          {fields.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              value={String(row[name] ?? '')}
              onChange={({ currentTarget }) => onChange(rows.with(nth, { ...row, [name]: currentTarget.value }))}
            />
          ))}
          {empty !== undefined && (
            <Button tone="quiet" onClick={() => onChange(rows.toSpliced(nth, 1))}>
              Remove
              <span className="visually-hidden">
                {' '}
                row {nth + 1} of {title}
              </span>
            </Button>
          )}
        </div>
      ))}
      {empty !== undefined && (
        <Button tone="secondary" onClick={() => onChange([...rows, empty])}>
          Add a row<span className="visually-hidden"> to {title}</span>
        </Button>
      )}
    </fieldset>
  )
}

const COLORS = { red: 'Red', blue: 'Blue', green: 'Green' }

/** The times of the week: besides its words, each entry has a colour and its hours. */
function Week({ rows, onChange }: { rows: readonly WeekEntry[]; onChange: (rows: WeekEntry[]) => void }) {
  const add = () => onChange([...rows, { ...EMPTY_FACT, color: 'red', spans: [] }])
  return (
    <fieldset className={styles.rows}>
      <legend>The week</legend>
      {rows.map((row, nth) => {
        const set = (values: Partial<WeekEntry>) => onChange(rows.with(nth, { ...row, ...values }))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and are not reordered
          <div key={nth} className={styles.row}>
            {FACT_FIELDS.map(([name, label]) => (
              <TextField
                key={name}
                label={label}
                value={row[name]}
                onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
              />
            ))}
            <SelectField
              label="Color"
              value={row.color}
              onChange={({ currentTarget }) => set({ color: currentTarget.value as WeekEntry['color'] })}
            >
              {Object.entries(COLORS).map(([color, label]) => (
                <option key={color} value={color}>
                  {label}
                </option>
              ))}
            </SelectField>
            <Spans spans={row.spans} onChange={(spans) => set({ spans })} />
            <Button tone="quiet" onClick={() => onChange(rows.toSpliced(nth, 1))}>
              Remove<span className="visually-hidden"> {row.name}</span>
            </Button>
          </div>
        )
      })}
      <Button tone="secondary" onClick={add}>
        Add a row<span className="visually-hidden"> to the week</span>
      </Button>
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
    <TextField
      label="Hours"
      hint="Tue 5:00-6:30, Sat 21:00-24:00"
      value={text}
      error={error}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        const read = readSpans(value)
        setError(read === null ? 'Enter days and hours such as Tue 5:00-6:30.' : undefined)
        if (read !== null) onChange(read)
      }}
    />
  )
}
