import { type ReactNode, useState } from 'react'
import type { DocumentField, DocumentFields, DocumentValues, Hours } from '#contract/document-fields.ts'
import { createEmptyValues } from '#contract/document-fields.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldFrame } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { DeskField, type ShownField } from '../../kit/fields.tsx'
import { HtmlField } from '../../kit/html-editor.tsx'
import styles from './pages.module.css'

/** Properties that all fields of a document share. */
type EditorContext = {
  /** The whole document; a map position finds its picture in it. */
  root: DocumentValues
  /** The errors by the path of their fields. */
  errors: Partial<Record<string, string[]>>
  editable: boolean
}

type ValueFieldsProps = {
  fields: DocumentFields
  values: DocumentValues
  onChange: (part: DocumentValues) => void
  /** The path of the values in the document. */
  path: string
  context: EditorContext
}

/** Renders an editor for a document's fields. Lists and groups use it recursively. */
export function ValueFields({ fields, values, onChange, path, context }: ValueFieldsProps) {
  return (
    <div className={layout.stack}>
      {Object.entries(fields).map(([name, field]) => (
        <ValueField
          key={name}
          field={field}
          value={values[name]}
          onChange={(value) => onChange({ [name]: value })}
          path={path === '' ? name : `${path}.${name}`}
          context={context}
        />
      ))}
    </div>
  )
}

type ValueFieldProps<Field extends DocumentField = DocumentField> = {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  path: string
  context: EditorContext
}

/** Converts a field with a plain value to a field of the desk; null for other fields. */
function toDeskField(field: DocumentField): ShownField | null {
  const texts = { label: field.label, ...(field.hint !== undefined && { hint: field.hint }) }
  switch (field.kind) {
    case 'line':
      return { ...texts, kind: 'text', max: field.max }
    case 'link':
      return { ...texts, kind: 'address', max: 300 }
    case 'anchor':
      return { ...texts, kind: 'id', max: 60 }
    case 'number':
      return { ...texts, kind: 'number', hint: `${field.min} to ${field.max}` }
    case 'tick':
      return { ...texts, kind: 'tick' }
    case 'choice':
      return { ...texts, kind: 'choice', options: field.options, ...(field.none !== undefined && { none: field.none }) }
    case 'picture':
      return { ...texts, kind: 'picture', use: field.use }
    default:
      return null
  }
}

function ValueField(props: ValueFieldProps) {
  const { field, value, onChange, path, context } = props
  const error = context.errors[path]?.[0]
  const deskField = toDeskField(field)
  if (deskField !== null) return <DeskField field={deskField} value={value} error={error} onChange={onChange} />
  switch (field.kind) {
    case 'html':
      return (
        <HtmlField
          label={field.label}
          hint={field.hint}
          html={value as string}
          onChange={onChange}
          error={error}
          editable={context.editable}
          isShort
          max={field.max}
        />
      )
    case 'color':
      return (
        <FieldFrame label={field.label} error={error}>
          {(controlProps) => (
            <input
              {...controlProps}
              type="color"
              className={styles.color}
              value={value as string}
              onChange={({ currentTarget }) => onChange(currentTarget.value)}
            />
          )}
        </FieldFrame>
      )
    case 'place':
      return <PointField {...props} field={field} error={error} />
    case 'week':
      return <WeekField label={field.label} hours={value as Hours[]} onChange={onChange} error={error} />
    case 'each':
      return <EachField {...props} field={field} />
    case 'list':
      return <ListField {...props} field={field} error={error} />
    default:
      return null
  }
}

type Kind<K extends DocumentField['kind']> = Extract<DocumentField, { kind: K }>

type PointFieldProps = ValueFieldProps<Kind<'place'>> & { error: string | undefined }

/** A point on a picture, set by a click on the picture or as two numbers. */
function PointField({ field, value, onChange, context, error }: PointFieldProps) {
  const { x, y } = value as { x: number; y: number }
  const picture = field.on === undefined ? null : context.root[field.on]
  const renderNumberField = (label: string, currentValue: number, part: 'x' | 'y') => (
    <DeskField
      field={{ kind: 'number', label }}
      value={currentValue}
      error={part === 'x' ? error : undefined}
      onChange={(typedNumber: unknown) => onChange({ x, y, [part]: typedNumber ?? 0 })}
    />
  )
  return (
    <fieldset className={styles.group}>
      <legend>{field.label}</legend>
      {typeof picture === 'string' && (
        <button
          type="button"
          className={styles.map}
          aria-label={`${field.label}: now ${x} from the left and ${y} from the top. A click or the fields below move it.`}
          onClick={({ currentTarget, clientX, clientY, detail }) => {
            // Pressing Enter or Space also sends a click, but without a point.
            if (detail === 0) return
            const rect = currentTarget.getBoundingClientRect()
            onChange({
              x: Math.round(((clientX - rect.left) / rect.width) * field.width),
              y: Math.round(((clientY - rect.top) / rect.height) * field.height),
            })
          }}
        >
          <img src={picture} alt="" width={field.width} height={field.height} loading="lazy" />
          <span style={{ left: `${(100 * x) / field.width}%`, top: `${(100 * y) / field.height}%` }} />
        </button>
      )}
      <div className={styles.pair}>
        {renderNumberField('From the left', x, 'x')}
        {renderNumberField('From the top', y, 'y')}
      </div>
    </fieldset>
  )
}

const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const HALF_HOURS = Array.from({ length: 49 }, (_, index) => index / 2)
const formatTime = (hour: number) => `${Math.floor(hour)}:${hour % 1 === 0 ? '00' : '30'}`
const TIME_OPTIONS = HALF_HOURS.map((hour) => [hour, formatTime(hour)] as const)

type WeekFieldProps = {
  label: string
  hours: readonly Hours[]
  onChange: (hours: Hours[]) => void
  error: string | undefined
}

/** Edits the hours of a week, each with its weekday. */
function WeekField({ label, hours, onChange, error }: WeekFieldProps) {
  const renderChoice = (
    position: number,
    part: keyof Hours,
    name: string,
    options: readonly (readonly [number, string])[],
  ) => (
    <DeskField
      field={{ kind: 'choice', label: name, options, isNumber: true }}
      value={hours[position]?.[part]}
      error={part === 'from' ? error : undefined}
      onChange={(value: unknown) =>
        onChange(hours.map((entry, index) => (index === position ? { ...entry, [part]: Number(value) } : entry)))
      }
    />
  )
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {hours.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hours have no id
        <div key={index} className={styles.hours}>
          {renderChoice(
            index,
            'day',
            'Day',
            WEEKDAY_NAMES.map((name, weekday) => [weekday, name] as const),
          )}
          {renderChoice(index, 'from', 'From', TIME_OPTIONS)}
          {renderChoice(index, 'to', 'To', TIME_OPTIONS)}
          <Button tone="quiet" onClick={() => onChange(hours.toSpliced(index, 1))}>
            Remove<span className="visually-hidden"> {WEEKDAY_NAMES[entry.day]}</span>
          </Button>
        </div>
      ))}
      <Button tone="secondary" onClick={() => onChange([...hours, { day: 0, from: 20, to: 22 }])}>
        Add hours
      </Button>
    </fieldset>
  )
}

type EntryProps = {
  name: string
  /** Whether the entry contains an error; it is then open. */
  hasError: boolean
  tools?: ReactNode
  children: () => ReactNode
}

/** An entry that starts folded. */
function Entry({ name, hasError, tools, children }: EntryProps) {
  const [isOpen, setOpen] = useState(false)
  const open = isOpen || hasError
  return (
    <details className={styles.entry} open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span>{name}</span>
      </summary>
      {open && (
        <div className={styles.entryBody}>
          {children()}
          {tools}
        </div>
      )}
    </details>
  )
}

const hasErrorIn = ({ errors }: EditorContext, path: string) =>
  Object.entries(errors).some(([errorPath, error]) => error !== undefined && errorPath.startsWith(`${path}.`))

/** The same fields for each item of a fixed list. */
function EachField({ field, value, onChange, path, context }: ValueFieldProps<Kind<'each'>>) {
  const entries = value as Record<string, DocumentValues>
  return (
    <fieldset className={styles.group}>
      <legend>{field.label}</legend>
      {Object.entries(field.of).map(([key, name]) => (
        <Entry key={key} name={name} hasError={hasErrorIn(context, `${path}.${key}`)}>
          {() => (
            <ValueFields
              fields={field.fields}
              values={entries[key] ?? {}}
              onChange={(part) => onChange({ ...entries, [key]: { ...entries[key], ...part } })}
              path={`${path}.${key}`}
              context={context}
            />
          )}
        </Entry>
      ))}
    </fieldset>
  )
}

/** Returns the label of a list's entry. */
function getEntryName(fields: DocumentFields, entry: DocumentValues): string {
  const titleField = Object.entries(fields).find(([, { kind }]) => kind === 'line')?.[0]
  return titleField === undefined ? '' : String(entry[titleField] ?? '')
}

type ListFieldProps = ValueFieldProps<Kind<'list'>> & { error: string | undefined }

let lastKey = 0
const createKey = () => ++lastKey

/** Edits a list: entries can be added, moved and removed. Entries with a single field do not fold. */
function ListField({ field, value, onChange, path, context, error }: ListFieldProps) {
  const entries = value as readonly DocumentValues[]
  // Rich text editors read their text only once, so each entry needs a key that stays the same when it moves.
  const [keys, setKeys] = useState(() => entries.map(createKey))
  const change = (next: DocumentValues[], nextKeys: number[]) => {
    setKeys(nextKeys)
    onChange(next)
  }
  const move = (from: number, to: number) => {
    const moveEntry = <Item,>(list: readonly Item[]) => list.toSpliced(from, 1).toSpliced(to, 0, list[from] as Item)
    change(moveEntry(entries), moveEntry(keys))
  }
  const hasOneField = Object.keys(field.fields).length === 1
  return (
    <fieldset className={styles.group}>
      <legend>{field.label}</legend>
      {error !== undefined && <p className={styles.error}>{error}</p>}
      {entries.map((entry, index) => {
        const name = getEntryName(field.fields, entry) || `New ${field.one}`
        const tools = (
          <EntryTools
            key="tools"
            about={`${field.one} ${index + 1}: ${name}`}
            onUp={index === 0 ? null : () => move(index, index - 1)}
            onDown={index === entries.length - 1 ? null : () => move(index, index + 1)}
            onRemove={() => change(entries.toSpliced(index, 1), keys.toSpliced(index, 1))}
          />
        )
        const renderFields = () => (
          <ValueFields
            fields={field.fields}
            values={entry}
            onChange={(part) => onChange(entries.with(index, { ...entry, ...part }))}
            path={`${path}.${index}`}
            context={context}
          />
        )
        return hasOneField ? (
          <div key={keys[index]} className={styles.line}>
            {renderFields()}
            {tools}
          </div>
        ) : (
          <Entry
            key={keys[index]}
            name={`${index + 1}. ${name}`}
            hasError={hasErrorIn(context, `${path}.${index}`)}
            tools={tools}
          >
            {renderFields}
          </Entry>
        )
      })}
      {entries.length < field.max && (
        <Button
          tone="secondary"
          onClick={() => change([...entries, createEmptyValues(field.fields)], [...keys, createKey()])}
        >
          Add a {field.one}
        </Button>
      )}
    </fieldset>
  )
}

type EntryToolsProps = {
  about: string
  /** Moves the entry up; null for the first one. */
  onUp: (() => void) | null
  onDown: (() => void) | null
  onRemove: () => void
}

function EntryTools({ about, onUp, onDown, onRemove }: EntryToolsProps) {
  const suffix = <span className="visually-hidden"> {about}</span>
  return (
    <div className={styles.tools}>
      <Button tone="quiet" disabled={onUp === null} onClick={() => onUp?.()}>
        Move up{suffix}
      </Button>
      <Button tone="quiet" disabled={onDown === null} onClick={() => onDown?.()}>
        Move down{suffix}
      </Button>
      <Button tone="quiet" onClick={onRemove}>
        Remove{suffix}
      </Button>
    </div>
  )
}
