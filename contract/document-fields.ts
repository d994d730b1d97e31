/**
 * The kinds of fields of the site's documents, as plain data. The desk's editor, the checks and the types of the values
 * derive from them.
 */

import { isSingleLine, isSitePath } from './fields.ts'
import type { PictureUseName } from './files.ts'
import { isSiteLink } from './settings.ts'

type FieldText = { label: string; hint?: string }

/** A field of a document. `requiredText` is the error for an empty field at publication. */
export type DocumentField = FieldText &
  (
    | { kind: 'line'; max: number; requiredText?: string }
    /** A long text as clean HTML. */
    | { kind: 'html'; max: number; requiredText?: string }
    /** A path of this site, an https address, a mail address, or a section of the page such as `#parties`. */
    | { kind: 'link' }
    /** The name of a section, for addresses such as `#parties`. */
    | { kind: 'anchor' }
    | { kind: 'number'; min: number; max: number }
    | { kind: 'tick' }
    | { kind: 'color' }
    | { kind: 'choice'; options: Readonly<Record<string, string>>; none?: string }
    | { kind: 'picture'; use: PictureUseName }
    /** A point, chosen by a click on the picture of the field named `on` if there is one. */
    | { kind: 'place'; width: number; height: number; on?: string }
    /** Hours of the week. */
    | { kind: 'week' }
    /** A list whose entries can be added, moved and removed. `one` is the noun for an entry. */
    | { kind: 'list'; one: string; max: number; fields: DocumentFields }
    /** The same fields for each item of a fixed list. */
    | { kind: 'each'; of: Readonly<Record<string, string>>; fields: DocumentFields }
  )

export type DocumentFields = { readonly [name: string]: DocumentField }

/** Hours of a day; Monday is 0. */
export type Hours = { day: number; from: number; to: number }

type Point = { x: number; y: number }

/** The value of a field. */
type FieldValue<F> = F extends { kind: 'list'; fields: infer Of }
  ? FieldValues<Of>[]
  : F extends { kind: 'each'; of: infer Keys; fields: infer Of }
    ? { [Key in keyof Keys]: FieldValues<Of> }
    : F extends { kind: 'choice'; options: infer Options; none: string }
      ? keyof Options | ''
      : F extends { kind: 'choice'; options: infer Options }
        ? keyof Options
        : F extends { kind: 'place' }
          ? Point
          : F extends { kind: 'week' }
            ? Hours[]
            : F extends { kind: 'number' }
              ? number
              : F extends { kind: 'tick' }
                ? boolean
                : F extends { kind: 'picture' }
                  ? string | null
                  : string

/** The values of some fields. */
export type FieldValues<Fields> = { -readonly [Name in keyof Fields]: FieldValue<Fields[Name]> }

/** The values of a document whose fields are not known to the type checker. */
export type DocumentValues = { [name: string]: unknown }

export const lineField = <const L extends string>(
  label: L,
  max = 120,
  options: { hint?: string; requiredText?: string } = {},
) => ({ kind: 'line', label, max, ...options }) as const
export const htmlField = (label: string, options: { hint?: string; requiredText?: string; max?: number } = {}) =>
  ({ kind: 'html', label, max: 20_000, ...options }) as const
export const linkField = (label: string) =>
  ({ kind: 'link', label, hint: 'a page of this site such as /news, https://… or mailto:…' }) as const
export const anchorField = {
  kind: 'anchor',
  label: 'Name in the address',
  hint: 'made from the title if empty',
} as const
export const numberField = (label: string, min: number, max: number) => ({ kind: 'number', label, min, max }) as const
export const choiceField = <const Options extends Readonly<Record<string, string>>>(label: string, options: Options) =>
  ({ kind: 'choice', label, options }) as const
export const optionalChoiceField = <const Options extends Readonly<Record<string, string>>>(
  label: string,
  none: string,
  options: Options,
) => ({ kind: 'choice', label, options, none }) as const
export const pictureField = (label: string, use: PictureUseName) => ({ kind: 'picture', label, use }) as const
export const listField = <const Fields extends DocumentFields>(
  label: string,
  entryNoun: string,
  max: number,
  fields: Fields,
) => ({ kind: 'list', label, one: entryNoun, max, fields }) as const
export const eachField = <const Of extends Readonly<Record<string, string>>, const Fields extends DocumentFields>(
  label: string,
  of: Of,
  fields: Fields,
) => ({ kind: 'each', label, of, fields }) as const
/** Lines of text. */
export const linesField = (label: string, max: number, length = 200) =>
  listField(label, 'line', max, { line: lineField('Line', length, { requiredText: 'Write the line, or remove it.' }) })

/** Returns an empty value. */
function createEmptyValue(field: DocumentField): unknown {
  switch (field.kind) {
    case 'list':
    case 'week':
      return []
    case 'each':
      return Object.fromEntries(Object.keys(field.of).map((key) => [key, createEmptyValues(field.fields)]))
    case 'choice':
      return field.none === undefined ? Object.keys(field.options)[0] : ''
    case 'place':
      return { x: Math.round(field.width / 2), y: Math.round(field.height / 2) }
    case 'number':
      return field.min
    case 'tick':
      return false
    case 'picture':
      return null
    case 'color':
      return '#ffffff'
    default:
      return ''
  }
}

/** Returns empty values for several fields. */
export const createEmptyValues = (fields: DocumentFields): DocumentValues =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, createEmptyValue(field)]))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const hasExactlyNames = (value: Record<string, unknown>, names: readonly string[]) =>
  Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name))

/** Whether a value is a path of this site, an https address, a section of the page such as `#parties`, or a mailto link. */
const isLink = (value: string) =>
  isSiteLink(value) || (value.length <= 300 && /^(#[\w-]+|mailto:[^\s<>"]+@[^\s<>"]+)$/.test(value))
const isBetween = (value: unknown, min: number, max: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max

/** A finding: the path of its field, with dots, and its text. */
export type Finding = readonly [location: string, text: string]

const RELOAD_RULE = 'Load the page again.'

/** A blank in a draft that its author must fill in, such as `[… number of]` (PAGE-8). */
export const BLANK_PATTERN = /\[(?:…|\.\.\.)[^\][]*\]/g

/** Returns the distinct blanks of a text, in order. */
const findBlanks = (text: string): string[] => [...new Set(text.replace(/<[^>]*>/g, '').match(BLANK_PATTERN) ?? [])]

/** Reports blanks in a text before it is published. */
function checkBlanks(text: string, location: string): Finding[] {
  const blanks = findBlanks(text)
  return blanks.length === 0 ? [] : [[location, `Fill in ${blanks.join(', ')}.`]]
}

/**
 * Finds the problems of a value. With `mustBeComplete`, the fields that readers need must not be empty, and no text may
 * have a blank.
 */
export function checkField(field: DocumentField, value: unknown, location: string, mustBeComplete: boolean): Finding[] {
  const report = (text: string): Finding[] => [[location, text]]
  switch (field.kind) {
    case 'line':
      if (typeof value !== 'string') return report(RELOAD_RULE)
      if (!isSingleLine(value)) return report('Use one line of text.')
      if (value.length > field.max) return report(`Use at most ${field.max} characters.`)
      if (mustBeComplete && field.requiredText !== undefined && value.trim() === '') return report(field.requiredText)
      return mustBeComplete ? checkBlanks(value, location) : []
    case 'html':
      if (typeof value !== 'string' || /\p{Cs}|\0/u.test(value)) return report(RELOAD_RULE)
      if (value.length > field.max) return report('This text is too long.')
      if (mustBeComplete && field.requiredText !== undefined && isEmptyHtml(value)) return report(field.requiredText)
      return mustBeComplete ? checkBlanks(value, location) : []
    case 'link':
      if (typeof value !== 'string') return report(RELOAD_RULE)
      if (value === '') return mustBeComplete ? report('Enter where the link leads.') : []
      return isLink(value)
        ? []
        : report('Enter a page of this site such as /news, or an address that starts with https:// or mailto:.')
    case 'anchor':
      if (typeof value !== 'string') return report(RELOAD_RULE)
      return /^[a-z0-9-]{0,60}$/.test(value) ? [] : report('Use lowercase letters, digits and dashes.')
    case 'color':
      return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? [] : report('Enter a color such as #ff9c82.')
    case 'number':
      return isBetween(value, field.min, field.max)
        ? []
        : report(`Enter a whole number from ${field.min} to ${field.max}.`)
    case 'tick':
      return typeof value === 'boolean' ? [] : report(RELOAD_RULE)
    case 'choice':
      return (typeof value === 'string' && Object.hasOwn(field.options, value)) ||
        (field.none !== undefined && value === '')
        ? []
        : report('Choose one of the values.')
    case 'picture':
      return value === null || (typeof value === 'string' && isSitePath(value))
        ? []
        : report('Choose a picture from this site.')
    case 'place':
      return isObject(value) &&
        hasExactlyNames(value, ['x', 'y']) &&
        isBetween(value.x, -field.width, 2 * field.width) &&
        isBetween(value.y, -field.height, 2 * field.height)
        ? []
        : report('Choose a point on the picture.')
    case 'week':
      return Array.isArray(value) && value.length <= 28 && value.every(areHours)
        ? []
        : report('Hours must lie between 0 and 24, and end after they begin.')
    case 'list':
      if (!Array.isArray(value)) return report(RELOAD_RULE)
      if (value.length > field.max) return report(`Use at most ${field.max} entries.`)
      return value.flatMap((entry, index) => checkValues(field.fields, entry, `${location}.${index}`, mustBeComplete))
    case 'each':
      if (!isObject(value) || !hasExactlyNames(value, Object.keys(field.of))) return report(RELOAD_RULE)
      return Object.keys(field.of).flatMap((key) =>
        checkValues(field.fields, value[key], `${location}.${key}`, mustBeComplete),
      )
  }
}

/** Finds the problems of several values. */
export function checkValues(
  fields: DocumentFields,
  values: unknown,
  location: string,
  mustBeComplete: boolean,
): Finding[] {
  if (!isObject(values) || !hasExactlyNames(values, Object.keys(fields))) return [[location, RELOAD_RULE]]
  return Object.entries(fields).flatMap(([name, field]) =>
    checkField(field, values[name], location === '' ? name : `${location}.${name}`, mustBeComplete),
  )
}

const areHours = (hours: unknown) =>
  isObject(hours) &&
  hasExactlyNames(hours, ['day', 'from', 'to']) &&
  isBetween(hours.day, 0, 6) &&
  typeof hours.from === 'number' &&
  typeof hours.to === 'number' &&
  hours.from >= 0 &&
  hours.from < hours.to &&
  hours.to <= 24

/** Whether an HTML text has no visible content. */
const isEmptyHtml = (html: string) => html.replace(/<(?!img)[^>]*>|&nbsp;|\s/g, '') === ''

/** Returns a copy of a document in which `change` has replaced each line and each HTML text. */
export function mapTexts(
  fields: DocumentFields,
  values: DocumentValues,
  change: (text: string, field: DocumentField) => string,
): DocumentValues {
  const mapField = (field: DocumentField, value: unknown): unknown => {
    if (field.kind === 'list') return (value as DocumentValues[]).map((entry) => mapTexts(field.fields, entry, change))
    if (field.kind === 'each')
      return Object.fromEntries(
        Object.entries(value as Record<string, DocumentValues>).map(([key, entry]) => [
          key,
          mapTexts(field.fields, entry, change),
        ]),
      )
    return field.kind === 'line' || field.kind === 'html' ? change(value as string, field) : value
  }
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, mapField(field, values[name])]))
}
