import { getSettings, saveSettings } from '#contract/desk-settings.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { getToday } from '#contract/today.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useAction } from '../../kit/call.ts'
import { DeskIcon } from '../../kit/icons.tsx'
import { useMay } from '../../me.ts'
import styles from './first-steps.module.css'

type Steps = NonNullable<CallOutput<typeof getToday>['first_steps']>

type StepLink = { label: string; to: string }

/** The title and screen of each step, and a second screen if the step needs two. */
const STEPS: Record<Steps[number]['step'], { title: string; line: string; to: string; secondLink?: StepLink }> = {
  look: {
    title: 'Give the site its name and theme',
    line: 'The name appears at once, the theme when you publish it.',
    to: '/admin/look',
  },
  mail: {
    title: 'Enter your mail server and receive a test',
    line: 'Without one, players can’t confirm an address or reset a password.',
    to: '/admin/mail',
  },
  'server-info': {
    title: 'Write the server information',
    line: 'Rates, limits, times and rules. Done when a value is published.',
    to: '/admin/pages/server-info',
  },
  item: {
    title: 'Add the first category and item',
    line: 'The number in the game decides what is delivered. Done when players can see an item.',
    to: '/admin/items/new',
  },
  news: {
    title: 'Publish the first news',
    line: 'It appears on the home page. Done when it is published.',
    to: '/admin/news',
  },
  policies: {
    title: 'Read and publish the three policies, and enter who runs the server',
    line: 'Fill in their blanks. They make promises on behalf of the person who runs the server.',
    to: '/admin/pages',
    secondLink: { label: 'Enter the name', to: '/admin/site/names' },
  },
  backup: {
    title: 'Make a backup, copied to another machine',
    line: 'Copy the site’s key too, which no backup contains.',
    to: '/admin/backups',
  },
  bridge: {
    title: 'Pair the bridge to the game',
    line: 'It delivers what players buy. Done when it has reported.',
    to: '/admin/game',
  },
  download: {
    title: 'Add the download of the game',
    line: 'Do this before you invite a second owner: with two owners, the other owner has to approve the download.',
    to: '/admin/site/downloads',
  },
  owner: {
    title: 'Invite a second owner',
    line: 'As soon as the second owner has opened the desk, each of you has to approve the other’s changes to staff, downloads, mail, backups and the bridge. A new owner can approve from a day after the invitation. Each of you can help the other log in again.',
    to: '/admin/staff',
  },
  purchases: {
    title: 'Open purchases',
    line: 'Last, when everything else is ready.',
    to: '/admin/settings?group=Shop',
  },
}

/** The checklist for a new site, which shows the completed steps. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const doneCount = steps.filter((step) => step.done).length
  const may = useMay()
  return (
    <Panel
      title="First steps"
      actions={
        <>
          <span>
            {doneCount} of {steps.length} done
          </span>
          {may('settings.write') && <HideStepsButton />}
        </>
      }
    >
      <ol className={styles.steps}>
        {steps.map(({ step, done }) => {
          const { title, line, to, secondLink } = STEPS[step]
          return (
            <li key={step} data-done={done || undefined}>
              <Link to={to} className={styles.step}>
                <i aria-hidden="true">{done && <DeskIcon name="approvals" size={18} weight={3} />}</i>
                <span>
                  <b>{title}</b>
                  {done ? <span className="visually-hidden">: done</span> : <span>{line}</span>}
                </span>
              </Link>
              {secondLink !== undefined && !done && (
                <Link to={secondLink.to} className={styles.secondLink}>
                  {secondLink.label}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}

/** Hides the list for all operators. */
function HideStepsButton() {
  const settings = useCall(getSettings, {})
  const showAction = useAction(saveSettings, { successMessage: 'The first steps are back.' })
  const hideAction = useAction(saveSettings, {
    successMessage: 'The first steps are hidden. Settings can show them again.',
    undo: ({ rows }) => void showAction.run(createChange(true, rows)),
  })
  return (
    <Button
      tone="secondary"
      busy={hideAction.busy}
      onClick={() => void hideAction.run(createChange(false, settings.data?.rows))}
    >
      Hide
    </Button>
  )
}

type SettingRows = CallOutput<typeof getSettings>['rows']

const createChange = (value: boolean, rows: SettingRows = []) => ({
  changes: rows.filter(({ name }) => name === 'first_steps').map(({ name, version }) => ({ name, version, value })),
})
