// biome-ignore-all lint/style/noRestrictedImports: tests run only in Node, not in a browser
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import * as f from 'zod/mini'
import { describeFields, type Field } from './describe-fields.ts'
import { answerFields, readyAnswerFields } from './desk-tickets.ts'
import { linesField, reasonField } from './fields.ts'
import { TICKET_MESSAGE_MAX } from './limits.ts'

test('reads the maximum of a text that may have several lines', () => {
  const form = f.object({
    text: linesField(40),
    optional: f.nullable(linesField(50, 'Enter text.')),
    why: reasonField,
  })
  const fields = describeFields(form, { text: 'Text', optional: 'More', why: 'Reason' })
  assert.deepEqual([fields.text.max, fields.optional.max, fields.why.max], [40, 50, 300])
})

test('gives a ticket’s answer and a ready-made answer the maximum of ticket messages', () => {
  assert.equal(answerFields.message.max, TICKET_MESSAGE_MAX)
  assert.equal(readyAnswerFields.body.max, TICKET_MESSAGE_MAX)
})

test('gives every desk field with a counter its maximum', async () => {
  const isField = (value: unknown): value is Field =>
    typeof value === 'object' && value !== null && 'kind' in value && 'label' in value
  const names = (await readdir(import.meta.dirname)).filter((name) => /^[a-z-]+\.ts$/.test(name))
  const modules: Record<string, unknown>[] = await Promise.all(names.map((name) => import(`./${name}`)))
  const fields = modules
    .flatMap((exportedValue) => Object.entries(exportedValue))
    .flatMap(([group, exportedValue]) =>
      typeof exportedValue === 'object' && exportedValue !== null
        ? Object.entries(exportedValue).map(([name, field]) => [`${group}.${name}`, field] as const)
        : [],
    )
    .flatMap(([name, field]) => (isField(field) && field.kind === 'long' ? [{ name, max: field.max }] : []))
  assert.ok(fields.length > 10, `${fields.length} fields`)
  assert.deepEqual(
    fields.filter(({ max }) => !max),
    [],
  )
})
