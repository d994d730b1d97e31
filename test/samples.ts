import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import {
  type Choices,
  createChoices,
  createInput,
  isLookup,
  type Json,
  listFields,
  matchesSchema,
} from './thief-inputs.ts'

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
function createSample(json: Schema, definitions: Record<string, Schema>): unknown {
  if (json.$ref !== undefined) return createSample(definitions[json.$ref.replace('#/$defs/', '')] ?? {}, definitions)
  if (json.const !== undefined) return json.const
  if (json.enum !== undefined) return json.enum[0]
  const [firstSchema] = json.anyOf ?? json.oneOf ?? []
  if (firstSchema !== undefined) return createSample(firstSchema, definitions)
  switch ([json.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(json.properties ?? {}).map(([name, child]) => [name, createSample(child, definitions)]),
      )
    case 'array':
      return Array.from({ length: json.minItems ?? 1 }, () => createSample(json.items ?? {}, definitions))
    case 'integer':
    case 'number':
      return Math.max(json.minimum ?? 1, (json.exclusiveMinimum ?? 0) + 1)
    case 'boolean':
      return true
    case 'string':
      return TEXTS.find((text) => matchesSchema(json, text)) ?? ''
    default:
      return null
  }
}

/** Returns a sample response for an endpoint's output. @throws if none is found */
export function createSampleAnswer({ output, isFile }: Endpoint): unknown {
  if (isFile) return new File(['RIFF'], 'a.webp', { type: 'image/webp' })
  const json = z.toJSONSchema(output, { unrepresentable: 'any' }) as Schema
  return output.parse(createSample(json, json.$defs ?? {}))
}

/** Values in place of ids, codes and tokens. Nothing with them need exist. */
const STAND_INS = ['1', 'T7KQXM2P', 'a'.repeat(43), '0'.repeat(64), '/art/icon.svg']

function replaceStandIn(value: unknown, choices: Choices): unknown {
  if (isLookup(value)) return choices.chance(0.5) ? choices.below(1000) + 1 : choices.pick(STAND_INS)
  if (Array.isArray(value)) return value.map((child) => replaceStandIn(child, choices))
  if (typeof value !== 'object' || value === null) return value
  if ('file' in value)
    return value.file === 'file'
      ? new File(['a'], 'items.csv', { type: 'text/csv' })
      : new File(['a'], 'a.png', { type: 'image/png' })
  return replaceStandIns(value, choices)
}

const replaceStandIns = (input: object, choices: Choices) =>
  Object.fromEntries(Object.entries(input).map(([name, child]) => [name, replaceStandIn(child, choices)]))

/** Returns an input that an endpoint’s rules accept; its targets may not exist. @throws if none is found */
export function createSampleInput(endpoint: Endpoint): Record<string, unknown> {
  const choices = createChoices(1)
  for (let attempt = 0; attempt < 5000; attempt++) {
    // A passkey would replace the typed password.
    const { assertion: _, ...inputFields } = createInput(choices, endpoint)
    const input = replaceStandIns(inputFields, choices)
    for (const [field, json] of Object.entries(listFields(endpoint)))
      if (input[field] === '' && !matchesSchema(json, '')) input[field] = createSample(json, {})
    const isAccepted = Object.entries(endpoint.input ?? {}).every(([inputPart, schema]) => {
      const partInput = Object.entries(input).filter(([field]) => endpoint.inputParts[field] === inputPart)
      const textEntries = partInput.flatMap(([field, value]) => (value === null ? [] : [[field, String(value)]]))
      return schema.safeParse(
        Object.fromEntries(inputPart === 'params' || inputPart === 'query' ? textEntries : partInput),
      ).success
    })
    if (isAccepted) return input
  }
  throw new Error('No input was found.')
}
