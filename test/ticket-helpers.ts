import assert from 'node:assert/strict'
import sharp from 'sharp'
import type { TestApp } from './helpers.ts'

/** The fields of a form; it has no field for `null` and `undefined`. */
type TicketFields = Record<string, string | File | (string | File)[] | null | undefined>

let guestCount = 0

/** Returns a valid form for a guest's ticket. */
export function createTicketForm(fields: TicketFields = {}): FormData {
  return createForm({
    category: 'bug',
    subject: 'Stuck in the jeepney',
    message: 'It does not open.',
    email: `guest${++guestCount}@example.net`,
    ...fields,
  })
}

/** Returns a form with these fields; a list becomes several entries. */
export function createForm(fields: TicketFields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const entry of Array.isArray(value) ? value : [value]) if (entry != null) form.append(name, entry)
  }
  return form
}

/** Sends a form to a call. */
export function sendForm(site: TestApp, path: string, form: FormData, headers: Record<string, string> = {}) {
  return site.send(path, { method: 'POST', body: form, headers })
}

type TicketAnswer = { message: string; number: string; state: string; key: string | null; link: string | null }

/** Submits a ticket and asserts that it is accepted. */
export async function submitTicket(site: TestApp, fields: TicketFields = {}, headers: Record<string, string> = {}) {
  const answer = await sendForm(site, '/api/submitticket', createTicketForm(fields), headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json() as TicketAnswer
}

/** Returns the key of the link to a ticket in an email. */
export const findMailedKey = (mail: { body_text: string } | undefined) =>
  /\/checkticket#key=([\w-]+)/.exec(mail?.body_text ?? '')?.[1]

/** Returns a file with a picture in a single color. */
export async function createPictureFile(
  name: string,
  {
    width = 64,
    height = 48,
    format = 'png',
  }: { width?: number; height?: number; format?: 'png' | 'jpeg' | 'webp' } = {},
): Promise<File> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#ffd21f' } })
    .toFormat(format)
    .toBuffer()
  return createFile(name, bytes)
}

export const createFile = (name: string, bytes: Uint8Array | string) =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name)

/** Returns the number of rows in each table that tickets write to. */
export async function countTicketRows(site: TestApp) {
  const count = async (table: 'tickets' | 'ticket_messages' | 'ticket_screenshots' | 'ticket_keys' | 'mail_outbox') =>
    Number(
      (
        await site.db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows,
    )
  return {
    tickets: await count('tickets'),
    messages: await count('ticket_messages'),
    screenshots: await count('ticket_screenshots'),
    keys: await count('ticket_keys'),
    mails: await count('mail_outbox'),
  }
}
