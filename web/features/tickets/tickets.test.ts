import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SCREENSHOT_TEXTS, sendTicketLink, submitTicket, TICKET_TEXTS } from '#contract/tickets.ts'
import { CallError } from '#web/api/call.ts'
import { checkFields } from '#web/forms/rules.ts'
import { showFieldErrors } from '#web/forms/use-call-form.ts'
import { splitLinks } from './auto-links.ts'
import { checkTicketSearch, getTicketPath, readRequestedTicket } from './check-ticket-view.ts'
import { addPictures, formatSize } from './picture-rules.ts'

const validTicket = {
  category: 'bug',
  subject: 'The gate will not open',
  message: 'It stays shut after the second bell.',
  email: 'amihan@example.com',
  ChaNum: '',
} as const

describe('a ticket before it is sent', () => {
  it('is valid with a category, a subject, a message and an address', async () => {
    assert.deepEqual(await checkFields(submitTicket, validTicket), {})
  })

  it('requires every missing field', async () => {
    const emptyTicket = { category: '' as 'bug', subject: ' ', message: '\n', email: '', ChaNum: '' }
    assert.deepEqual(await checkFields(submitTicket, emptyTicket), {
      category: 'Please choose what your ticket is about.',
      subject: 'Subject is required.',
      message: 'Message is required.',
      email: 'Email is required.',
    })
  })

  it('enforces the maximum lengths as the server counts them', async () => {
    const longTicket = { ...validTicket, subject: 'x'.repeat(121), message: 'x'.repeat(4001) }
    assert.deepEqual(await checkFields(submitTicket, longTicket), {
      subject: 'Subject must be at most 120 characters long.',
      message: 'Message must be at most 4000 characters long.',
    })
    assert.deepEqual(await checkFields(submitTicket, { ...validTicket, message: `${'x'.repeat(3999)}\r\n\r\n` }), {})
  })

  it('needs no address from a player with an account', async () => {
    assert.deepEqual(await checkFields(submitTicket, { ...validTicket, email: undefined }), {})
  })

  it('accepts only a category of the list', async () => {
    const errors = await checkFields(submitTicket, { ...validTicket, category: 'toString' as 'bug' })
    assert.deepEqual(Object.keys(errors), ['category'])
  })
})

describe('a ticket number', () => {
  it('is recognised with any letter case, spaces and dashes', async () => {
    const rules = await sendTicketLink.schema()
    for (const number of ['T-7KQX-M2PD', ' t7kqxm2pd', '7kqx m2pd', 'T 7KQX-M2PD'])
      assert.equal(rules.parse({ number, email: validTicket.email }).number, 'T-7KQX-M2PD', number)
  })

  it('has eight letters and digits that do not look alike', async () => {
    for (const number of ['', 'T-7KQX', 'T-0KQX-M2PD', 'T-IKQX-M2PD', 'T-7KQX-M2PD-9'])
      assert.deepEqual(
        Object.keys(await checkFields(sendTicketLink, { number, email: validTicket.email })),
        ['number'],
        number,
      )
  })

  it('is required together with an email address', async () => {
    assert.deepEqual(await checkFields(sendTicketLink, { number: '', email: '' }), {
      number: 'Ticket number is required.',
      email: 'Email is required.',
    })
    assert.deepEqual(await checkFields(sendTicketLink, { number: '12', email: 'amihan' }), {
      number: 'Enter a ticket number such as T-7KQX-M2PD.',
      email: 'Enter a valid email address.',
    })
  })
})

/** Returns the field of the ticket's form that shows a refusal of the server. */
function findErrorField(refusal: object): string | undefined {
  const shownFields: string[] = []
  const form = { setError: (name: string) => void shownFields.push(name), setFocus: () => undefined }
  const fields = ['category', 'subject', 'message', 'screenshots', 'email', 'ChaNum']
  showFieldErrors(form, fields, new CallError(422, 'Refused.', refusal))
  return shownFields[0]
}

describe('a refusal of the server', () => {
  it('appears under its field', () => {
    for (const { message, field } of Object.values(submitTicket.errors))
      assert.equal(findErrorField({ message, 'form-error': { [field]: [message] } }), field)
  })

  it('appears under the screenshots, even if the file name has quotes or line breaks', () => {
    const createTexts = [
      SCREENSHOT_TEXTS.broken,
      SCREENSHOT_TEXTS.tooManyPixels,
      SCREENSHOT_TEXTS.notAPicture,
      SCREENSHOT_TEXTS.tooLarge,
    ]
    for (const createText of createTexts)
      assert.equal(findErrorField({ 'form-error': { screenshots: [createText('a ” is\nb.png')] } }), 'screenshots')
  })

  it('appears under the form if it concerns no field', () => {
    assert.equal(findErrorField({ message: TICKET_TEXTS.full }), undefined)
  })
})

const createFile = (name: string, size = 1000, type = 'image/png') => ({ name, size, type, lastModified: 1 })

describe('chosen screenshots', () => {
  it('are added in order', () => {
    const { pictures, refusals } = addPictures(
      [createFile('a.png')],
      [createFile('b.webp', 1, 'image/webp'), createFile('c.jpg', 1, 'image/jpeg')],
    )
    assert.deepEqual(
      pictures.map(({ name }) => name),
      ['a.png', 'b.webp', 'c.jpg'],
    )
    assert.deepEqual(refusals, [])
  })

  it('are refused with a message that names each file, and earlier files stay', () => {
    const newFiles = [
      createFile('video.mp4', 1, 'video/mp4'),
      createFile('huge.png', 5 * 1024 * 1024 + 1),
      createFile('gone.png', 0),
    ]
    assert.deepEqual(addPictures([createFile('a.png')], newFiles), {
      pictures: [createFile('a.png')],
      refusals: [
        SCREENSHOT_TEXTS.notAPicture('video.mp4'),
        SCREENSHOT_TEXTS.tooLarge('huge.png'),
        SCREENSHOT_TEXTS.empty('gone.png'),
      ],
    })
  })

  it('are limited to three, with a single report', () => {
    const { pictures, refusals } = addPictures(
      [createFile('1'), createFile('2')],
      [createFile('3'), createFile('4'), createFile('5')],
    )
    assert.equal(pictures.length, 3)
    assert.deepEqual(refusals, [SCREENSHOT_TEXTS.tooMany])
  })

  it('are added only once', () => {
    assert.equal(addPictures([createFile('a.png')], [createFile('a.png')]).pictures.length, 1)
  })

  it('are accepted at exactly five megabytes', () => {
    assert.deepEqual(addPictures([], [createFile('a.png', 5 * 1024 * 1024)]).refusals, [])
  })
})

describe('the size of a file', () => {
  it('is formatted in kB or MB', () => {
    assert.deepEqual([1, 840_000, 1_500_000, 5 * 1024 * 1024].map(formatSize), ['1 kB', '820 kB', '1.4 MB', '5.0 MB'])
  })
})

const readAddress = (search: string, hash = '', state: unknown = null) =>
  readRequestedTicket({ ticket: checkTicketSearch.read(new URLSearchParams(search)).ticket, hash, state })

describe('the address of a conversation', () => {
  it('has the ticket number for a logged-in player', () => {
    assert.deepEqual(readAddress(getTicketPath('T-7KQX-M2PD').replace('/checkticket', '')), { number: 'T-7KQX-M2PD' })
  })

  it('has a guest’s key in the fragment, which takes precedence over a number', () => {
    assert.deepEqual(readAddress('?ticket=T-7KQX-M2PD', '#key=abc_-9'), { key: 'abc_-9' })
  })

  it('takes the email address from the history state and ignores one in the URL', () => {
    assert.deepEqual(readAddress('?ticket=T-7KQX-M2PD&email=x@example.com'), { number: 'T-7KQX-M2PD' })
    assert.deepEqual(readAddress('?ticket=T-7KQX-M2PD', '', { email: 'x@example.com' }), {
      number: 'T-7KQX-M2PD',
      email: 'x@example.com',
    })
  })

  it('requests no ticket if the parameters are missing or invalid', () => {
    for (const [search, hash] of [
      ['', ''],
      ['?ticket=', ''],
      ['?page=2', '#key='],
      ['', '#key=<b>'],
    ] as const)
      assert.equal(readAddress(search, hash), null)
  })
})

const findLinks = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? [])

describe('web addresses in a message', () => {
  it('become links without changing any other character', () => {
    const text = 'See https://example.com/a?b=1.\nOr (https://example.com/c), please!'
    assert.deepEqual(findLinks(text), ['https://example.com/a?b=1', 'https://example.com/c'])
    assert.equal(
      splitLinks(text)
        .map((part) => part.text)
        .join(''),
      text,
    )
  })

  it('keep a closing bracket whose opening bracket is in the address', () => {
    assert.deepEqual(findLinks('https://example.com/Jeepney_(car)'), ['https://example.com/Jeepney_(car)'])
  })

  it('become links only with http or https and without a user name before the host', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.com',
      'https://tambayan.example@evil.example/',
      'https://',
    ])
      assert.deepEqual(findLinks(text), [], text)
  })

  it('are not found in ordinary text, which stays unchanged', () => {
    assert.deepEqual(splitLinks('Salamat po'), [{ text: 'Salamat po' }])
    assert.deepEqual(splitLinks(''), [])
  })
})
