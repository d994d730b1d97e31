import { Fragment, isValidElement, type ReactElement, type ReactNode, useState } from 'react'
import { type CurrencyNames, nameCurrencies } from '#contract/currencies.ts'
import type { Field, FieldKind, FieldOptions } from '#contract/describe-fields.ts'
import { toManilaLocal } from '#contract/manila.ts'
import { parseWholeNumber, WHOLE_NUMBER_RULE } from '#contract/numbers.ts'
import { Checkbox, SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid, SheetPart } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import control from '#web/ui/field.module.css'
import { FieldFrame, TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import styles from './fields.module.css'
import { ItemField } from './item-field.tsx'
import { PictureField } from './picture-field.tsx'

/** A field with the additions of the screen that shows it. */
export type ShownField = Field & {
  readOnly?: boolean
  disabled?: boolean
  /** Selects the whole text on focus. */
  selectsOnFocus?: boolean
  /** Returns the address of a value's picture, if it differs from the value. */
  getSource?: (value: string) => string | null
}

export type ShownFields<Name extends string> = Readonly<Record<Name, ShownField>>

/** A screen's additions to the fields of a form, such as choices that it has loaded. */
export type FieldAdditions<Name extends string> = { readonly [N in Name]?: Partial<ShownField> }

/** Returns the field that assigns a ticket or task to an operator. */
export const createAssigneeField = (assignees: readonly { user_num: number; user_id: string }[]): ShownField => ({
  kind: 'choice',
  label: 'Assignee',
  none: 'No one',
  options: assignees.map(({ user_num, user_id }) => [user_num, user_id]),
  isNullable: true,
  isNumber: true,
})

type DeskFieldProps = {
  field: ShownField
  value: unknown
  error?: string | undefined
  onChange: (value: never) => void
}

/** The attributes of each kind of text field, without the label. */
const INPUT_ATTRIBUTES = {
  text: {},
  email: { type: 'email' },
  password: { type: 'password', autoComplete: 'new-password' },
  address: { inputMode: 'url', autoCapitalize: 'none' },
  id: { autoCapitalize: 'none', spellCheck: false },
  code: { autoCapitalize: 'characters', spellCheck: false },
  digits: { inputMode: 'numeric' },
  day: { type: 'date' },
} as const

/** Renders a field by its kind. */
export function DeskField({ field: declaredField, value, error, onChange }: DeskFieldProps) {
  const change = onChange as (value: unknown) => void
  const field = nameCurrenciesInField(declaredField, useCurrencyNames())
  const { kind, label, hint, isNullable = false, max, rows, placeholder, readOnly, disabled, selectsOnFocus } = field
  const texts = { label, error, ...(hint !== undefined && { hint }) }
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  const changeText = (typedText: string) =>
    change(
      typedText === '' && isNullable ? null : field.isNumber && /^\d+$/.test(typedText) ? Number(typedText) : typedText,
    )
  switch (kind) {
    case 'tick':
      return (
        <Checkbox {...texts} checked={value === true} onChange={({ currentTarget }) => change(currentTarget.checked)} />
      )
    case 'choice':
      return (
        <SelectField
          {...texts}
          value={text}
          disabled={disabled}
          onChange={({ currentTarget }) => changeText(currentTarget.value)}
        >
          <Options {...field} value={text} />
        </SelectField>
      )
    case 'picture':
      return field.use === undefined ? null : (
        <PictureField
          label={label}
          use={field.use}
          value={text === '' ? null : (field.getSource?.(text) ?? text)}
          error={error}
          onChange={change}
        />
      )
    case 'item':
      return <ItemField {...texts} value={value} error={error} onChange={change} />
    case 'moment':
      return (
        <TextField
          {...texts}
          hint={hint ?? 'Manila time'}
          type="datetime-local"
          value={text === '' ? '' : toManilaLocal(Date.parse(text))}
          onChange={({ currentTarget }) => changeText(parseManilaLocal(currentTarget.value.slice(0, 16)))}
        />
      )
    case 'number':
      return <NumberField {...texts} value={value} onChange={change} />
    case 'long':
      return (
        <TextArea
          label={label}
          error={error}
          placeholder={placeholder}
          rows={rows ?? 6}
          text={text}
          limit={max}
          value={text}
          onChange={({ currentTarget }) => changeText(currentTarget.value)}
        />
      )
    case 'lines':
      return (
        <FieldFrame {...texts}>
          {(controlProps) => (
            <textarea
              rows={rows ?? 3}
              placeholder={placeholder}
              {...controlProps}
              className={`${control.input} ${styles.lines}`}
              value={text}
              onChange={({ currentTarget }) => changeText(currentTarget.value)}
            />
          )}
        </FieldFrame>
      )
    default:
      return (
        <TextField
          {...texts}
          type="text"
          autoComplete="off"
          {...INPUT_ATTRIBUTES[kind]}
          placeholder={placeholder}
          readOnly={readOnly}
          value={text}
          onFocus={({ currentTarget }) => selectsOnFocus && currentTarget.select()}
          onChange={({ currentTarget }) => changeText(currentTarget.value)}
        />
      )
  }
}

/** Replaces placeholders for the currencies in the texts of a field. */
function nameCurrenciesInField(field: ShownField, names: CurrencyNames): ShownField {
  const { label, hint, none, placeholder, options } = field
  return {
    ...field,
    label: nameCurrencies(label, names),
    ...(hint !== undefined && { hint: nameCurrencies(hint, names) }),
    ...(none !== undefined && { none: nameCurrencies(none, names) }),
    ...(placeholder !== undefined && { placeholder: nameCurrencies(placeholder, names) }),
    ...(options !== undefined && {
      options: toOptionPairs(options).map(([value, text]) => [value, nameCurrencies(text, names)] as const),
    }),
  }
}

/** Converts the local time of a browser's field to an ISO date. The field contains Manila time on every device. */
const parseManilaLocal = (local: string) => (local === '' ? '' : new Date(`${local}:00+08:00`).toISOString())

/** Renders the options of a choice. If they do not include the current value, it becomes a further option. */
function Options({ options = {}, none, value }: Pick<Field, 'options' | 'none'> & { value: string }) {
  const pairs = toOptionPairs(options)
  const isListed = value === '' || pairs.some(([option]) => option === value)
  return (
    <>
      {none !== undefined && <option value="">{none}</option>}
      {[...pairs, ...(isListed ? [] : [[value, value] as const])].map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </>
  )
}

/** Returns options as pairs of value and label, in order. */
export function toOptionPairs(options: FieldOptions): (readonly [string, string])[] {
  const pairs = Array.isArray(options) ? (options as readonly (readonly [string | number, string])[]) : null
  return pairs?.map(([value, name]) => [String(value), name]) ?? Object.entries(options as Record<string, string>)
}

type NumberFieldProps = {
  label: string
  hint?: string
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}

/**
 * A field for a whole number. Invalid input, such as 5.00 or -5, is not changed or rounded; the field shows an error.
 */
function NumberField({ value, onChange, error, ...texts }: NumberFieldProps) {
  const [hasBlurred, setHasBlurred] = useState(false)
  const isInvalid = typeof value === 'string' && (hasBlurred || error !== undefined)
  return (
    <TextField
      {...texts}
      autoComplete="off"
      inputMode="numeric"
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      error={isInvalid ? WHOLE_NUMBER_RULE : error}
      onBlur={() => setHasBlurred(true)}
      onChange={({ currentTarget: { value: typedText } }) =>
        onChange(typedText.trim() === '' ? null : (parseWholeNumber(typedText) ?? typedText))
      }
    />
  )
}

/** The state that fields render: values, errors, and a function to change the values. */
export type FormState<Values> = {
  values: Values
  getError: (name: keyof Values & string) => string | undefined
  change: (part: Partial<NoInfer<Values>>) => void
}

/**
 * The layout of a form, in order. An entry is the name of a field, a list of fields in one row (checkboxes go below
 * each other), a titled part, or an element of the screen.
 */
export type FormEntry<Name extends string> =
  | Name
  | readonly FormEntry<Name>[]
  | { title: string; line?: string; show: readonly FormEntry<Name>[] }
  | ReactElement
  | false
  | null

type FieldsProps<Values, Name extends keyof Values & string> = {
  fields: ShownFields<Name>
  show: readonly FormEntry<Name>[]
  form: FormState<Values>
}

/** Renders the fields of a form. */
export function Fields<Values, Name extends keyof Values & string>({ fields, show, form }: FieldsProps<Values, Name>) {
  return show.map((entry, index) => (
    <Fragment key={typeof entry === 'string' ? entry : index}>
      <FormEntryView fields={fields} entry={entry} form={form} />
    </Fragment>
  ))
}

type FormEntryViewProps<Values, Name extends keyof Values & string> = Omit<FieldsProps<Values, Name>, 'show'> & {
  entry: FormEntry<Name>
}

function FormEntryView<Values, Name extends keyof Values & string>({
  fields,
  entry,
  form,
}: FormEntryViewProps<Values, Name>) {
  const names = useCurrencyNames()
  if (entry === false || entry === null || isValidElement(entry)) return entry
  if (typeof entry === 'string') {
    const { help } = fields[entry]
    const field = (
      <DeskField
        field={fields[entry]}
        value={form.values[entry]}
        error={form.getError(entry)}
        onChange={(value: Values[Name]) => form.change({ [entry]: value } as unknown as Partial<Values>)}
      />
    )
    return help === undefined ? (
      field
    ) : (
      <div className={styles.withHelp}>
        {field}
        <p>{nameCurrencies(help, names)}</p>
      </div>
    )
  }
  if ('title' in entry)
    return (
      <SheetPart title={entry.title} {...(entry.line !== undefined && { line: nameCurrencies(entry.line, names) })}>
        <div className={layout.stack}>
          <Fields fields={fields} show={entry.show} form={form} />
        </div>
      </SheetPart>
    )
  const list = <Fields fields={fields} show={entry as readonly FormEntry<Name>[]} form={form} />
  const areAllOfKind = (kind: FieldKind) =>
    entry.every((name) => typeof name === 'string' && fields[name as Name].kind === kind)
  if (areAllOfKind('tick')) return <div>{list}</div>
  return areAllOfKind('picture') ? <div className={styles.pictures}>{list}</div> : <FormGrid>{list}</FormGrid>
}

type FieldRowsProps<Row, Name extends keyof Row & string> = {
  fields: ShownFields<Name> | ((row: Row) => ShownFields<Name>)
  rows: readonly Row[]
  onChange: (rows: Row[]) => void
  /** Returns a row's name for its remove button. Without this function, rows cannot be removed. */
  getName?: ((row: Row, index: number) => string) | undefined
  /** Renders elements of a row in addition to its fields. */
  renderMore?: ((row: Row, change: (part: Partial<Row>) => void) => ReactNode) | undefined
  className: string | undefined
}

/** Edits a list whose entries are rows of fields. */
export function FieldRows<Row, Name extends keyof Row & string>(props: FieldRowsProps<Row, Name>) {
  const { fields, rows, onChange, getName, renderMore, className } = props
  return rows.map((row, index) => {
    const rowFields = typeof fields === 'function' ? fields(row) : fields
    const change = (part: Partial<Row>) => onChange(rows.with(index, { ...row, ...part }))
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and are not reordered
      <div key={index} className={className}>
        <Fields
          fields={rowFields}
          show={Object.keys(rowFields) as Name[]}
          form={{ values: row, getError: () => undefined, change }}
        />
        {renderMore?.(row, change)}
        {getName && (
          <Button tone="quiet" onClick={() => onChange(rows.toSpliced(index, 1))}>
            Remove<span className="visually-hidden"> {getName(row, index)}</span>
          </Button>
        )}
      </div>
    )
  })
}
