import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { type Choices, createChoices, fits, inputFor, isLookup, type Json, listFields } from './thief-inputs.ts'

const TEXTS = [
  'Bayani',
  '1',
  '2026-11',
  '2026-11-20',
  '2026-11-20T13:42:07.000Z',
  '/news',
  'https://play.example.ph/a',
  '0'.repeat(64),
  '0'.repeat(32),
  `/files/${'0'.repeat(64)}.webp`,
]

type Schema = Json & { $ref?: string; oneOf?: Schema[]; $defs?: Record<string, Schema> }

/** Returns a sample value of a schema, the same each time. */
function sample(json: Schema, defs: Record<string, Schema>): unknown {
  if (json.$ref !== undefined) return sample(defs[json.$ref.replace('#/$defs/', '')] ?? {}, defs)
  if (json.const !== undefined) return json.const
  if (json.enum !== undefined) return json.enum[0]
  const [first] = json.anyOf ?? json.oneOf ?? []
  if (first !== undefined) return sample(first, defs)
  switch ([json.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(Object.entries(json.properties ?? {}).map(([name, one]) => [name, sample(one, defs)]))
    case 'array':
      return Array.from({ length: json.minItems ?? 1 }, () => sample(json.items ?? {}, defs))
    case 'integer':
    case 'number':
      return Math.max(json.minimum ?? 1, (json.exclusiveMinimum ?? 0) + 1)
    case 'boolean':
      return true
    case 'string':
      return TEXTS.find((text) => fits(json, text)) ?? ''
    default:
      return null
  }
}

/** Returns a sample response for an endpoint's output. @throws if none is found */
export function sampleAnswer({ output, isFile }: Endpoint): unknown {
  if (isFile) return new File(['RIFF'], 'a.webp', { type: 'image/webp' })
  const json = z.toJSONSchema(output, { unrepresentable: 'any' }) as Schema
  return output.parse(sample(json, json.$defs ?? {}))
}

/** Values for numbers and codes that need not exist. */
const STAND_INS = ['1', 'T7KQXM2P', 'a'.repeat(43), '0'.repeat(64), '/art/icon.svg']

function standIn(value: unknown, choices: Choices): unknown {
  if (isLookup(value)) return choices.chance(0.5) ? choices.below(1000) + 1 : choices.pick(STAND_INS)
  if (Array.isArray(value)) return value.map((one) => standIn(one, choices))
  if (typeof value !== 'object' || value === null) return value
  if ('file' in value)
    return value.file === 'file'
      ? new File(['a'], 'items.csv', { type: 'text/csv' })
      : new File(['a'], 'a.png', { type: 'image/png' })
  return standInAll(value, choices)
}

const standInAll = (input: object, choices: Choices) =>
  Object.fromEntries(Object.entries(input).map(([name, one]) => [name, standIn(one, choices)]))

/** Returns an input that an endpoint’s rules accept; its targets may not exist. @throws if none is found */
export function sampleInput(endpoint: Endpoint): Record<string, unknown> {
  const choices = createChoices(1)
  for (let turn = 0; turn < 5000; turn++) {
    // A passkey would replace the typed password.
    const { assertion: _, ...written } = inputFor(choices, endpoint)
    const input = standInAll(written, choices)
    for (const [field, json] of Object.entries(listFields(endpoint)))
      if (input[field] === '' && !fits(json, '')) input[field] = sample(json, {})
    const isTaken = Object.entries(endpoint.input ?? {}).every(([place, schema]) => {
      const own = Object.entries(input).filter(([field]) => endpoint.inputParts[field] === place)
      const asText = own.flatMap(([field, value]) => (value === null ? [] : [[field, String(value)]]))
      return schema.safeParse(Object.fromEntries(place === 'params' || place === 'query' ? asText : own)).success
    })
    if (isTaken) return input
  }
  throw new Error('No input was found.')
}
