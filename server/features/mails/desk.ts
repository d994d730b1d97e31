import { NO_MAIL_SERVER } from '#contract/errors.ts'
import * as calls from '#contract/mails.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { MAIL_SAMPLES } from '#server/mail/samples.ts'
import { hasMailServer } from '#server/mail/servers.ts'
import { readMailSite } from '#server/mail/site.ts'
import { requeueMails, selectMails } from './queries.ts'

/** The desk's calls about outgoing mail. */
export const mailDeskCalls: MountedCall[] = [
  mount(calls.getMails, (filters, { deps }) => selectMails(deps.browseDb, filters)),

  mount(calls.resendMails, async ({ mails }, { deps, record }) => {
    const resentMails = await requeueMails(deps.db, mails)
    if (resentMails.length === 0) throw refuse(calls.resendMails, 'nothing')
    const [firstMail = 0] = resentMails
    record({ target: ['mail', firstMail], after: { mails: resentMails } })
    const skippedCount = new Set(mails).size - resentMails.length
    const skippedText = skippedCount === 0 ? '' : ` ${skippedCount} could not be sent again.`
    const countText = resentMails.length === 1 ? 'The email is' : `${resentMails.length} emails are`
    const resultText = (await hasMailServer(deps)) ? 'on the way.' : `only saved as a file. ${NO_MAIL_SERVER}`
    return {
      message: `${countText} ${resultText}${skippedText}`,
      resent: resentMails.length,
      skipped: skippedCount,
    }
  }),

  mount(calls.getMailTemplates, async (_, { deps }) => {
    const site = await readMailSite(deps)
    return { rows: Object.entries(MAIL_SAMPLES).map(([name, { title, render }]) => ({ name, title, ...render(site) })) }
  }),

  mount(calls.sendTestMail, async ({ template, to }, { deps, record }) => {
    const sample = Object.entries(MAIL_SAMPLES).find(([name]) => name === template)?.[1]
    if (sample === undefined) throw refuse(calls.sendTestMail, 'templateNotFound')
    if (!(await hasMailServer(deps))) throw refuse(calls.sendTestMail, 'mailServerMissing')
    const content = sample.render(await readMailSite(deps))
    await enqueueMail(deps.db, to, { ...content, subject: `Test: ${content.subject}` }, deps.now(), {
      priority: 'first',
    })
    record({ target: ['mail template', template], after: { sent_to: to } })
    return { message: `A test of “${sample.title}” is on its way to ${to}.` }
  }),
]
