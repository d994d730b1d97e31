import { z } from 'zod'
import { BRIDGE_HEADERS } from '#contract/bridge-signing.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorSchema } from '#contract/errors.ts'
import { LAUNCHER_DOCUMENTS } from '#contract/launcher.ts'
import { LIMITS, type LimitName } from '#contract/request-limits.ts'

type JsonRecord = Record<string, unknown>
type Content = Record<string, { schema: JsonRecord }>

type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  /** The server, for a document outside /api. */
  servers?: { url: string }[]
  parameters?: { name: string; in: string; required: boolean; description: string; schema: JsonRecord }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content: Content }>
}

export type ApiDocument = ReturnType<typeof describeCalls>

const STABILITY_TEXT = `**For tools of others:** the calls that are marked with “Other sites” keep their addresses, their parameters and the names, types and meanings of their fields. A change that a tool would notice is announced in the changelog twelve months before. New fields can appear at any time, so ignore those that you don’t know. Send at most one request a minute, without a token.`

/** Creates the OpenAPI 3.1 document of the calls from their declarations. */
export function describeCalls(endpoints: readonly Endpoint[], info: { title: string; url: string }) {
  const components: JsonRecord = {}
  const paths: Record<string, Record<string, Operation>> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: describeCall(endpoint, components),
    }
  }
  toSchema(errorSchema, 'output', components)
  for (const document of LAUNCHER_DOCUMENTS) paths[document.path] = describeDocument(document, info.url, components)
  return {
    openapi: '3.1.0',
    info: {
      title: `${info.title}: the calls`,
      version: '1',
      description: `Every call of the site. A refused call answers with the same readable text as error and as message.

${STABILITY_TEXT}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${info.url}/api` }],
    tags: [...new Set(endpoints.map(({ area }) => area))].map((name) => ({
      name,
      description: `Calls about ${name}.`,
    })),
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token that processlogin returns.' },
        bridge: {
          type: 'apiKey',
          in: 'header',
          name: BRIDGE_HEADERS.signature,
          description: 'An Ed25519 signature with the key of a paired bridge, with its other headers.',
        },
      },
    },
  }
}

/** Describes a document of the site that is not below /api. */
function describeDocument(
  { path, operationId, summary, type, schema }: (typeof LAUNCHER_DOCUMENTS)[number],
  url: string,
  components: JsonRecord,
): Record<string, Operation> {
  const { max, windowMs, counts } = LIMITS.pages
  const description = [
    `**Who:** ${ACCESS_TEXTS.public}`,
    `**Limit:** ${max} ${counts} in ${windowMs / 60_000} min.`,
    `**Address:** ${url}${path}, not below /api.`,
    ...(type === 'application/json' ? [`**Other sites:** ${OTHER_SITES_TEXT}`] : []),
  ].join('\n\n')
  const content = { [type]: { schema: toSchema(schema, 'output', components) } }
  return {
    get: {
      operationId,
      summary,
      description,
      tags: ['site'],
      security: [],
      servers: [{ url }],
      responses: {
        200: { description: 'The document', content },
        429: {
          description: 'Too many requests; Retry-After has the time to wait.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  }
}

/** Returns the name of a call for programs, such as `getShopcartLine` for GET /shopcart/{line}. */
function getOperationId({ method, path }: Endpoint): string {
  const parts = path.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return method.toLowerCase() + parts.map((pathPart) => pathPart.charAt(0).toUpperCase() + pathPart.slice(1)).join('')
}

const ACCESS_TEXTS: Record<string, string> = {
  public: 'Anyone.',
  visitor: 'Guests and players; an expired token is refused.',
  player: 'Players who are logged in.',
  bridge: 'The agent next to the game’s database, which signs its requests.',
}

const OTHER_SITES_TEXT =
  'scripts of every web page may read it, without a token. It changes only after the notice described at the top.'

/** The limits of calls that declare none. */
const DEFAULT_LIMITS: Record<string, LimitName> = { public: 'guestCalls', visitor: 'guestCalls', bridge: 'bridgeCalls' }

const SECURITY_BY_ACCESS: Record<string, Record<string, string[]>[]> = {
  public: [],
  visitor: [{}, { token: [] }],
  bridge: [{ bridge: [] }],
}

function describeCall(endpoint: Endpoint, components: JsonRecord): Operation {
  const { access, area, cache, cors, input = {}, limit, method, summary } = endpoint
  const { max, windowMs, counts } = LIMITS[limit ?? DEFAULT_LIMITS[access] ?? 'playerCalls']
  const parameters = (['params', 'query'] as const).flatMap((part) => {
    const schema = input[part]
    if (schema === undefined) return []
    const { properties = {}, required = [] } = toSchema(schema, 'input', components) as {
      properties?: Record<string, JsonRecord>
      required?: string[]
    }
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: part === 'params' || required.includes(name),
      description: String(property.description ?? ''),
      schema: property,
    }))
  })
  if (endpoint.idempotent) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'A call with the same key within 24 h gets the first answer and changes nothing.',
      schema: { type: 'string', minLength: 1, maxLength: 200 },
    })
  }
  const body = input.body ?? input.form
  const mediaType = input.form === undefined ? 'application/json' : 'multipart/form-data'
  return {
    operationId: getOperationId(endpoint),
    summary,
    description: [
      `**Who:** ${ACCESS_TEXTS[access] ?? `Staff with the permission ${access}.`}`,
      `**Limit:** ${max} ${counts} in ${windowMs / 60_000} min.`,
      ...(cache === undefined ? [] : ['**Cached:** the same response for everyone, for a few seconds.']),
      ...(cors ? [`**Other sites:** ${OTHER_SITES_TEXT}`] : []),
    ].join('\n\n'),
    tags: [area],
    security: SECURITY_BY_ACCESS[access] ?? [{ token: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: method === 'POST',
        content: { [mediaType]: { schema: toSchema(body, 'input', components) } },
      },
    }),
    responses: { 200: describeOutput(endpoint, components), ...describeErrors(endpoint) },
  }
}

function describeOutput({ isFile, output }: Endpoint, components: JsonRecord): Operation['responses'][string] {
  return isFile
    ? { description: 'The file', content: { 'image/webp': { schema: { type: 'string', format: 'binary' } } } }
    : { description: 'The answer', content: { 'application/json': { schema: toSchema(output, 'output', components) } } }
}

/** Lists the declared errors, and those of access, input and limits. */
function describeErrors({ access, errors = {}, idempotent, input = {} }: Endpoint): Operation['responses'] {
  const texts: Record<number, string[]> = { 429: ['Too many requests; Retry-After has the time to wait.'] }
  const addText = (status: number, text: string) => {
    texts[status] = [...(texts[status] ?? []), text]
  }
  if (access !== 'public')
    addText(401, access === 'visitor' ? 'An invalid or expired token.' : 'No token, or an invalid or expired one.')
  if (access !== 'public') addText(403, 'The input names another account.')
  if (Object.keys(input).length > 0) addText(422, 'The input breaks a rule.')
  if (input.body !== undefined || input.form !== undefined) addText(400, 'The body is not readable.')
  if (input.body !== undefined || input.form !== undefined) addText(413, 'The body is too large.')
  if (idempotent) addText(422, 'The Idempotency-Key was used for something else.')
  for (const { status, message } of Object.values(errors)) addText(status, message)
  return Object.fromEntries(
    Object.entries(texts).map(([status, statusTexts]) => [
      status,
      {
        description: [...new Set(statusTexts)].join(' '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

/** Converts a schema to OpenAPI; schemas with an id are collected in `components`. */
function toSchema(schema: z.core.$ZodType, io: 'input' | 'output', components: JsonRecord): JsonRecord {
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')
  const {
    $schema: _,
    $defs = {},
    id,
    ...schemaBody
  } = JSON.parse(text) as JsonRecord & { $defs?: Record<string, JsonRecord> }
  for (const [name, { id: __, ...definition }] of Object.entries($defs)) components[name] = definition
  if (typeof id !== 'string') return schemaBody
  components[id] = schemaBody
  return { $ref: `#/components/schemas/${id}` }
}
