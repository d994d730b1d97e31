import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SCREENSHOT, TICKET } from '#contract/ticket-messages.ts'
import { fieldOfRefusal } from './ticket-refusal.ts'

describe('a refusal of the server', () => {
  it('stands under the field it is about', () => {
    assert.equal(fieldOfRefusal(TICKET.subjectControl), 'subject')
    assert.equal(fieldOfRefusal(TICKET.characterUnknown), 'ChaNum')
    assert.equal(fieldOfRefusal('Enter a valid email address.'), 'email')
  })

  it('of a file stands under the screenshots, whatever the file is called', () => {
    const names = [SCREENSHOT.broken, SCREENSHOT.tooManyPixels, SCREENSHOT.notAPicture, SCREENSHOT.tooLarge]
    for (const text of names) assert.equal(fieldOfRefusal(text('a ” is\nb.png')), 'screenshots')
  })

  it('stands under the form when it is about no field', () => {
    assert.equal(fieldOfRefusal(TICKET.full), undefined)
  })
})
