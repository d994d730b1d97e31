/**
 * Describes how the desk's forms show their fields. Each form declares its description next to its rules, and the
 * browser receives the description as plain data.
 */
import type { ZodMiniObject, z } from 'zod/mini'
import type { PictureUseName } from './files.ts'

/** The kinds of input of a field. */
export type FieldKind =
  | 'text'
  | 'email'
  | 'password'
  | 'address'
  /** A user ID or another name that must match exactly. */
  | 'id'
  /** Like `id`, but in capitals. */
  | 'code'
  /** A whole number, stored as a number. */
  | 'number'
  /** A whole number, stored as the typed text. */
  | 'digits'
  /** Several lines, with a count of the characters. */
  | 'long'
  /** Several lines, without a count. */
  | 'lines'
  | 'moment'
  | 'day'
  | 'tick'
  | 'choice'
  | 'picture'
  /** The id of an item of the shop, chosen by name. */
  | 'item'

/** Values with their labels. Use pairs where an object would change the order of the values. */
export type FieldOptions = Readonly<Record<string, string>> | readonly (readonly [string | number, string])[]

/** The texts of a field. `kind` is set only if the rule does not determine it. */
export type FieldTexts = {
  label: string
  /** A short note next to the label. */
  hint?: string
  kind?: FieldKind
  options?: FieldOptions
  /** The label of the empty choice. */
  none?: string
  placeholder?: string
  rows?: number
  /** The effect of the field, below it. */
  help?: string
  /** The maximum length, if the rule has it in a pattern. */
  max?: number
  /** The use of a picture. */
  use?: PictureUseName
}

/** A field as the desk shows it. */
export type Field = FieldTexts & {
  kind: FieldKind
  /** Whether the value of an empty field is null. */
  isNullable?: true
  /** Whether its values are numbers. */
  isNumber?: true
}

type RuleProperties = Pick<Field, 'kind' | 'max' | 'isNullable' | 'isNumber'>

type RuleDefinition = {
  type: string
  format?: string
  coerce?: boolean
  values?: readonly unknown[]
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  innerType?: z.core.$ZodType
  checks?: readonly { _zod: { def: { check: string; maximum?: number } } }[]
}

/** Reads the properties of a field from its rule. */
function readRule(schema: z.core.$ZodType): RuleProperties {
  const {
    type,
    format,
    coerce,
    in: input,
    out: output,
    innerType,
    checks = [],
    values = [],
  } = schema._zod.def as RuleDefinition
  if (type === 'nullable' && innerType) return { ...readRule(innerType), isNullable: true }
  if (innerType) return readRule(innerType)
  if (input && output) return input._zod.def.type === 'transform' ? readRule(output) : readRule(input)
  if (type === 'boolean') return { kind: 'tick' }
  if (type === 'enum') return { kind: 'choice' }
  if (type === 'literal') return { kind: 'choice', ...(values.every(Number.isInteger) && { isNumber: true }) }
  if (type === 'union' || coerce) return { kind: 'digits' }
  if (type === 'number') return { kind: 'number', isNumber: true }
  if (format === 'datetime') return { kind: 'moment' }
  const max = checks.find(({ _zod }) => _zod.def.check === 'max_length')?._zod.def.maximum
  return { kind: 'text', ...(max !== undefined && { max }) }
}

/**
 * Describes the fields of a form by their texts and rules.
 *
 * @param texts the texts of each field; a string is a label
 */
export function describeFields<
  Form extends ZodMiniObject,
  Texts extends { readonly [Name in keyof Form['shape']]?: string | FieldTexts },
>(form: Form, texts: Texts): { [Name in keyof Texts]: Field } {
  const fields = Object.entries(texts as Record<string, string | FieldTexts>).map(([name, labelOrTexts]) => {
    const fieldTexts = typeof labelOrTexts === 'string' ? { label: labelOrTexts } : labelOrTexts
    const kind = fieldTexts.use !== undefined ? 'picture' : fieldTexts.options !== undefined ? 'choice' : undefined
    return [name, { ...readRule(form.shape[name] as z.core.$ZodType), ...(kind && { kind }), ...fieldTexts }]
  })
  return Object.fromEntries(fields)
}
